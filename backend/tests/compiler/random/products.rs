//! Products, reductions, and what goes through indices.

use super::program::{Body, Element, LARGEST, Numbers, SIZES, Val, list, ty};

impl Body {
    /// What a sum of `count` values may be, and be off by: it comes in another order.
    fn summed(&self, v: Val, count: usize) -> Val {
        let n = count as f64;
        let most = v.most * n;
        let error = if v.element.is_float() { v.error * n + n * most * v.element.rounding() } else { 0.0 };
        Val { most, error, ..v }
    }

    pub fn reduced(&mut self, how: &str, v: &Val, over: &[usize]) -> Val {
        let count: usize = over.iter().map(|&i| v.dims[i]).product();
        let dims = (0..v.dims.len()).filter(|i| !over.contains(i)).map(|i| v.dims[i]).collect();
        let start = match (how, v.element) {
            ("add", _) | ("or", _) => 0.0,
            ("minimum", _) => 1000.0,
            ("and", _) => 1.0,
            _ => -1000.0,
        };
        let start = self.constant(start, &[], v.element);
        let like = Val { dims, ..v.clone() };
        let like = if how == "add" { self.summed(like, count) } else { like };
        let text = format!(
            "stablehlo.reduce({} init: {}) applies stablehlo.{how} across dimensions = [{}] : ({}, {}) -> {}",
            v.name,
            start.name,
            list(over),
            v.ty(),
            start.ty(),
            like.ty()
        );
        self.put(like, &text)
    }

    pub fn reduce(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let v = self.bounded(&v, 100.0);
        let over: Vec<usize> = (0..v.dims.len()).rev().filter(|_| n.below(2) == 0).collect();
        let over: Vec<usize> = over.into_iter().rev().collect();
        let how = match v.element {
            Element::Pred => n.of(&["or", "and"]),
            _ => n.of(&["add", "maximum", "minimum"]),
        };
        let v = self.reduced(how, &v, &over);
        self.keep(v);
    }

    pub fn dot(&mut self, n: &mut Numbers<'_>) {
        let a = self.pick(n);
        self.product(n, &a);
    }

    /// With another array, over some dimensions, batched over others; operands in any order of dimensions.
    pub fn product(&mut self, n: &mut Numbers<'_>, a: &Val) {
        let a = if a.element == Element::Pred { self.converted(a, Element::F32) } else { a.clone() };
        let a = self.bounded(&a, 10.0);
        let b = if a.element == Element::S32 { self.pick_exact(n) } else { self.pick(n) };
        let (batch, sum) = (n.below(3), 1 + n.below(2));
        let columns = n.of(&SIZES);
        let all: Vec<usize> = (0..a.dims.len()).collect();
        let contracted: Vec<usize> = all.iter().rev().take(sum.min(all.len())).rev().copied().collect();
        let batched: Vec<usize> = all.iter().take(batch.min(all.len() - contracted.len())).copied().collect();
        let of = |which: &[usize]| which.iter().map(|&i| a.dims[i]).collect::<Vec<usize>>();
        let count: usize = of(&contracted).iter().product();
        // On the right, the columns lie first or last among what is not batched.
        let last = n.below(2) == 0;
        let mut right = of(&batched);
        if !last {
            right.push(columns);
        }
        let shift = right.len();
        right.extend(of(&contracted));
        if last {
            right.push(columns);
        }
        let rows = a.size() / count.max(1);
        if right.iter().product::<usize>() > LARGEST || rows * columns > LARGEST {
            return self.keep(a);
        }
        let b = self.fit(&b, &right, a.element);
        let b = self.bounded(&b, 10.0);
        let there: Vec<usize> = (shift..shift + contracted.len()).collect();
        let mut dims = of(&batched);
        dims.extend((batched.len()..a.dims.len() - contracted.len()).map(|i| a.dims[i]));
        dims.push(columns);
        let element =
            if a.element == Element::Bf16 { n.of(&[Element::F32, Element::Bf16]) } else { a.element };
        let like = Val {
            dims,
            element: Element::F32,
            most: a.most * b.most,
            error: a.most * b.error + b.most * a.error + a.error * b.error,
            ..a.clone()
        };
        let mut like = self.summed(like, count);
        like.element = element;
        like.error += like.most * element.rounding();
        like.error = if element == Element::S32 { 0.0 } else { like.error };
        let batching = if batched.is_empty() {
            String::new()
        } else {
            format!("batching_dims = [{0}] x [{0}], ", list(0..batched.len()))
        };
        let text = format!(
            "stablehlo.dot_general {}, {}, {batching}contracting_dims = [{}] x [{}] : ({}, {}) -> {}",
            a.name,
            b.name,
            list(contracted),
            list(there),
            a.ty(),
            b.ty(),
            like.ty()
        );
        let v = self.put(like, &text);
        self.keep(v);
    }

    pub fn convolution(&mut self, n: &mut Numbers<'_>) {
        let (image, kernel) = (self.pick(n), self.pick(n));
        let element = if image.element == Element::Bf16 { Element::Bf16 } else { Element::F32 };
        let (batch, height, width) = (1 + n.below(3), 3 + n.below(5), 1 + n.below(6));
        let (inner, outer) = (1 + n.below(4), 1 + n.below(5));
        let (kh, kw) = (1 + n.below(3), 1 + n.below(2));
        let stride = 1 + n.below(2);
        let image = self.fit(&image, &[batch, height, width, inner], element);
        let kernel = self.fit(&kernel, &[kh, kw, inner, outer], element);
        let (image, kernel) = (self.bounded(&image, 4.0), self.bounded(&kernel, 4.0));
        let dims = vec![batch, (height + 2 - kh) / stride + 1, width + 1 - kw + 1, outer];
        let like = Val {
            dims,
            element,
            most: image.most * kernel.most,
            error: image.most * kernel.error + kernel.most * image.error + image.error * kernel.error,
            ..image.clone()
        };
        let like = self.summed(Val { element: Element::F32, ..like }, kh * kw * inner);
        let like = Val { element, error: like.error + like.most * element.rounding(), ..like };
        let text = format!(
            "stablehlo.convolution({}, {}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = \
             {{stride = [{stride}, 1], pad = [[1, 1], [1, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({}, {}) -> {}",
            image.name,
            kernel.name,
            image.ty(),
            kernel.ty(),
            like.ty()
        );
        let v = self.put(like, &text);
        self.keep(v);
    }

    pub fn reduce_window(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        if v.element == Element::Pred || v.dims.is_empty() {
            return self.keep(v);
        }
        let v = self.bounded(&v, 100.0);
        let how = n.of(&["maximum", "add"]);
        let sizes: Vec<usize> = v.dims.iter().map(|&d| 1 + n.below(d.min(3))).collect();
        let strides: Vec<usize> = v.dims.iter().map(|_| 1 + n.below(2)).collect();
        let dims = (0..sizes.len()).map(|i| (v.dims[i] - sizes[i]) / strides[i] + 1).collect();
        let start = self.constant(if how == "add" { 0.0 } else { -1000.0 }, &[], v.element);
        let like = Val { dims, ..v.clone() };
        let like = if how == "add" { self.summed(like, sizes.iter().product()) } else { like };
        let scalar = ty(&[], v.element);
        let (id, text) = (self.fresh(), list(&sizes));
        self.line(&format!(
            "%{id} = \"stablehlo.reduce_window\"({}, {}) <{{window_dimensions = array<i64: {text}>, window_strides = array<i64: {}>}}> ({{",
            v.name,
            start.name,
            list(&strides)
        ));
        self.line(&format!("^bb0(%x{id}: {scalar}, %y{id}: {scalar}):"));
        self.line(&format!("%z{id} = stablehlo.{how} %x{id}, %y{id} : {scalar}"));
        self.line(&format!("stablehlo.return %z{id} : {scalar}"));
        self.line(&format!("}}) : ({}, {scalar}) -> {}", v.ty(), like.ty()));
        self.keep(Val { name: format!("%{id}"), ..like });
    }

    /// The largest along a dimension, and where it is first: two results.
    pub fn first_largest(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick_exact(n);
        let v = self.converted(&v, Element::F32);
        if v.dims.is_empty() || !v.is_exact() {
            return self.keep(v);
        }
        let over = n.below(v.dims.len());
        let places = self.iota(&v.dims, over, Element::S32);
        let (low, none) = (self.constant(-1000.0, &[], Element::F32), self.constant(0.0, &[], Element::S32));
        let mut dims = v.dims.clone();
        dims.remove(over);
        let id = self.fresh();
        self.line(&format!(
            "%{id}:2 = stablehlo.reduce({} init: {}), ({} init: {}) across dimensions = [{over}] : ({}, {}, tensor<f32>, tensor<i32>) -> ({}, {})",
            v.name,
            low.name,
            places.name,
            none.name,
            v.ty(),
            places.ty(),
            ty(&dims, Element::F32),
            ty(&dims, Element::S32)
        ));
        let text = format!(
            "reducer(%a{id}: tensor<f32>, %c{id}: tensor<f32>) (%b{id}: tensor<i32>, %d{id}: tensor<i32>)  {{\n  \
             %g{id} = stablehlo.compare GT, %a{id}, %c{id}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n  \
             %e{id} = stablehlo.compare EQ, %a{id}, %c{id}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n  \
             %h{id} = stablehlo.compare LT, %b{id}, %d{id}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  \
             %i{id} = stablehlo.and %e{id}, %h{id} : tensor<i1>\n  %j{id} = stablehlo.or %g{id}, %i{id} : tensor<i1>\n  \
             %k{id} = stablehlo.maximum %a{id}, %c{id} : tensor<f32>\n  \
             %m{id} = stablehlo.select %j{id}, %b{id}, %d{id} : tensor<i1>, tensor<i32>\n  \
             stablehlo.return %k{id}, %m{id} : tensor<f32>, tensor<i32>\n  }}"
        );
        self.line(&text);
        self.keep(Val { name: format!("%{id}#0"), dims: dims.clone(), ..v.clone() });
        self.keep(Val { name: format!("%{id}#1"), dims, ..places });
    }

    pub fn sort(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick_exact(n);
        if v.dims.is_empty() || v.element == Element::Pred {
            return self.keep(v);
        }
        let (over, scalar, id) = (n.below(v.dims.len()), ty(&[], v.element), self.fresh());
        let kind = if v.element == Element::S32 { "SIGNED" } else { "FLOAT" };
        self.line(&format!(
            "%{id} = \"stablehlo.sort\"({}) <{{dimension = {over} : i64, is_stable = true}}> ({{",
            v.name
        ));
        self.line(&format!("^bb0(%x{id}: {scalar}, %y{id}: {scalar}):"));
        self.line(&format!(
            "%z{id} = stablehlo.compare LT, %x{id}, %y{id}, {kind} : ({scalar}, {scalar}) -> tensor<i1>"
        ));
        self.line(&format!("stablehlo.return %z{id} : tensor<i1>"));
        self.line(&format!("}}) : ({}) -> {}", v.ty(), v.ty()));
        self.keep(Val { name: format!("%{id}"), ..v });
    }

    /// Rows along a dimension, by numbers that may lie outside.
    pub fn gather(&mut self, n: &mut Numbers<'_>) {
        let (v, places) = (self.pick(n), self.pick_exact(n));
        if v.dims.is_empty() {
            return self.keep(v);
        }
        let (over, count) = (n.below(v.dims.len()), n.of(&SIZES));
        let mut dims = v.dims.clone();
        dims[over] = count;
        if dims.iter().product::<usize>() > LARGEST {
            return self.keep(v);
        }
        let places = self.fit(&places, &[count, 1], Element::S32);
        let kept = list((0..dims.len()).filter(|&i| i != over));
        let sizes = list((0..dims.len()).map(|i| if i == over { 1 } else { dims[i] }));
        let text = format!(
            "\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{kept}], \
             collapsed_slice_dims = [{over}], start_index_map = [{over}], index_vector_dim = 1>, \
             indices_are_sorted = false, slice_sizes = array<i64: {sizes}>}}> : ({}, {}) -> {}",
            v.name,
            places.name,
            v.ty(),
            places.ty(),
            ty(&dims, v.element)
        );
        let v = self.put(Val { dims, ..v }, &text);
        self.keep(v);
    }

    /// Rows along the first dimension, added or the larger taken; what lies outside is left out.
    pub fn scatter(&mut self, n: &mut Numbers<'_>) {
        let (v, rows, places) = (self.pick(n), self.pick(n), self.pick_exact(n));
        if v.dims.is_empty() || v.element == Element::Pred {
            return self.keep(v);
        }
        let v = self.bounded(&v, 100.0);
        let (count, how) = (1 + n.below(5), n.of(&["add", "maximum"]));
        let mut dims = v.dims.clone();
        dims[0] = count;
        if dims.iter().product::<usize>() > LARGEST {
            return self.keep(v);
        }
        let rows = self.fit(&rows, &dims, v.element);
        let rows = self.bounded(&rows, 100.0);
        let places = self.fit(&places, &[count, 1], Element::S32);
        let like = Val { most: v.most.max(rows.most), error: v.error.max(rows.error), ..v.clone() };
        let like = if how == "add" { self.summed(like, count + 1) } else { like };
        let (scalar, id) = (ty(&[], v.element), self.fresh());
        self.line(&format!(
            "%{id} = \"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = \
             #stablehlo.scatter<update_window_dims = [{}], inserted_window_dims = [0], \
             scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}}> ({{",
            v.name,
            places.name,
            rows.name,
            list(1..dims.len())
        ));
        self.line(&format!("^bb0(%x{id}: {scalar}, %y{id}: {scalar}):"));
        self.line(&format!("%z{id} = stablehlo.{how} %x{id}, %y{id} : {scalar}"));
        self.line(&format!("stablehlo.return %z{id} : {scalar}"));
        self.line(&format!("}}) : ({}, {}, {}) -> {}", v.ty(), places.ty(), rows.ty(), v.ty()));
        self.keep(Val { name: format!("%{id}"), ..like });
    }
}
