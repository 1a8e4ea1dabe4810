//! Operations that index arrays, and loops.

use super::{Body, Element, Val, array, join, list};

/// Where a slice begins: `index` along the first of `rank` dimensions, 0 along the others.
fn starts(index: &Val, zero: &Val, rank: usize) -> String {
    (0..rank).map(|i| if i == 0 { index } else { zero }.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Body {
    /// The `index`-th of the slices along the first dimension, without that dimension.
    pub fn at(&mut self, x: &Val, index: &Val) -> Val {
        let zero = self.constant(0.0, array(&[], Element::I32));
        let (dims, rest) = (&x.ty.dims, &x.ty.dims[1..]);
        let mut sizes = vec![1];
        sizes.extend(rest);
        let ty = array(&sizes, x.ty.element);
        let text = format!(
            "stablehlo.dynamic_slice {}, {}, sizes = [{}] : ({}, {}) -> {ty}",
            x.name,
            starts(index, &zero, dims.len()),
            sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            x.ty,
            vec!["tensor<i32>"; dims.len()].join(", "),
        );
        let slice = self.put(ty, &text);
        self.reshape(&slice, rest)
    }

    /// With `part` as the `index`-th of the slices along the first dimension.
    pub fn with_at(&mut self, x: &Val, part: &Val, index: &Val) -> Val {
        let zero = self.constant(0.0, array(&[], Element::I32));
        let rank = x.ty.dims.len();
        let mut dims = vec![1];
        dims.extend(&part.ty.dims);
        let part = self.reshape(part, &dims);
        let text = format!(
            "stablehlo.dynamic_update_slice {}, {}, {} : ({}, {}, {}) -> {}",
            x.name,
            part.name,
            starts(index, &zero, rank),
            x.ty,
            part.ty,
            vec!["tensor<i32>"; rank].join(", "),
            x.ty,
        );
        self.put(x.ty.clone(), &text)
    }

    /// `jnp.take(x, indices, axis=dimension, mode="clip")`: `x` at each of a vector of indices along one dimension.
    pub fn take(&mut self, x: &Val, indices: &Val, dimension: usize) -> Val {
        let count = indices.ty.dims[0];
        let index = self.reshape(indices, &[count, 1]);
        let mut dims = x.ty.dims.clone();
        dims[dimension] = count;
        let offset: Vec<usize> = (0..dims.len()).filter(|&i| i != dimension).collect();
        let sizes: Vec<String> = (0..dims.len())
            .map(|i| if i == dimension { 1 } else { x.ty.dims[i] })
            .map(|n| n.to_string())
            .collect();
        let ty = array(&dims, x.ty.element);
        let (offset, sizes) = (list(&offset), sizes.join(", "));
        self.put(
            ty.clone(),
            &format!(
                "\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{offset}], \
                 collapsed_slice_dims = [{dimension}], start_index_map = [{dimension}], index_vector_dim = 1>, \
                 indices_are_sorted = false, slice_sizes = array<i64: {sizes}>}}> : ({}, {}) -> {ty}",
                x.name, index.name, x.ty, index.ty
            ),
        )
    }

    /// `lax.scan` without inputs or outputs a step: `step` runs `length` times on the carry. `constants` come unchanged to every
    /// step, as JAX hands the arrays that a step uses but does not carry.
    pub fn scan(
        &mut self,
        length: u64,
        constants: &[Val],
        carry: &[Val],
        step: impl FnOnce(&mut Body, &[Val], &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        let counter = self.constant(0.0, array(&[], Element::I32));
        let start: Vec<Val> = constants.iter().chain([&counter]).chain(carry).cloned().collect();
        let name = self.fresh();
        let inside: Vec<Val> = start
            .iter()
            .enumerate()
            .map(|(i, v)| Val { name: format!("%iter{}_{i}", &name[1..]), ty: v.ty.clone() })
            .collect();
        let bindings: Vec<String> =
            inside.iter().zip(&start).map(|(i, s)| format!("{} = {}", i.name, s.name)).collect();
        let types = join(&start, |v| v.ty.to_string());
        self.line(&format!("{name}:{} = stablehlo.while({}) : {types}", start.len(), bindings.join(", ")));
        self.line("cond {");
        self.depth += 1;
        let i = &inside[constants.len()];
        let end = self.constant(length as f64, array(&[], Element::I32));
        let more = self.compare("LT", i, &end);
        self.line(&format!("stablehlo.return {} : {}", more.name, more.ty));
        self.depth -= 1;
        self.line("} do {");
        self.depth += 1;
        let next = step(self, &inside[..constants.len()], &inside[constants.len() + 1..]);
        let one = self.constant(1.0, array(&[], Element::I32));
        let i = self.binary("add", i, &one);
        let out: Vec<Val> = inside[..constants.len()].iter().chain([&i]).chain(&next).cloned().collect();
        self.line(&format!("stablehlo.return {} : {types}", join(&out, |v| v.name.clone())));
        self.depth -= 1;
        self.line("}");
        (constants.len() + 1..start.len())
            .map(|i| Val { name: format!("{name}#{i}"), ty: start[i].ty.clone() })
            .collect()
    }
}
