//! Shardy's text: `#sdy.sharding<@mesh, [{"x", ?}, {}], replicated={"y"}>`, and lists of it in
//! `#sdy.sharding_per_value<[<…>, <…>]>`.

use sim_core::hlo::device::{NamedDim, SubAxis};
use sim_core::hlo::{MeshAxes, NamedSharding, TileAssignment};
use sim_core::ir::Mesh;
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// All shardings in the text, in order. `meshes` tells which names are maximal.
pub fn read(text: &str, meshes: &[Mesh]) -> Result<Vec<NamedSharding>> {
    let mut c = Text { rest: text, whole: text };
    let mut found = Vec::new();
    if c.eat("#sdy.sharding_per_value") {
        c.expect("<")?;
        c.expect("[")?;
        while !c.eat("]") {
            found.push(c.sharding(meshes)?);
            c.eat(",");
        }
        c.expect(">")?;
    } else {
        c.expect("#sdy.sharding")?;
        found.push(c.sharding(meshes)?);
    }
    match c.rest.trim() {
        "" => Ok(found),
        _ => Err(c.error("the end")),
    }
}

struct Text<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl<'a> Text<'a> {
    fn eat(&mut self, what: &str) -> bool {
        let text = self.rest.trim_start();
        match text.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn error(&self, what: &str) -> Diagnostic {
        let at = self.whole.len() - self.rest.len();
        Diagnostic::malformed(format!("expected {what} at character {at} of the sharding `{}`", self.whole))
    }

    fn expect(&mut self, what: &str) -> Result<()> {
        if self.eat(what) { Ok(()) } else { Err(self.error(&format!("`{what}`"))) }
    }

    fn take(&mut self, what: &str, of: impl Fn(char) -> bool) -> Result<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(|c| !of(c)).unwrap_or(text.len());
        if end == 0 {
            return Err(self.error(what));
        }
        self.rest = &text[end..];
        Ok(&text[..end])
    }

    fn int(&mut self) -> Result<i64> {
        let digits = self.take("a number", |c| c.is_ascii_digit())?;
        digits.parse().map_err(|_| self.error("a number that fits 64 bits"))
    }

    fn string(&mut self) -> Result<Arc<str>> {
        self.expect("\"")?;
        let end = self.rest.find('"').ok_or_else(|| self.error("`\"`"))?;
        let (text, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Ok(text.into())
    }

    fn name(&mut self) -> Result<Arc<str>> {
        if self.rest.starts_with('"') {
            return self.string();
        }
        self.take("a name", |c| c.is_alphanumeric() || "_$.-".contains(c)).map(Into::into)
    }

    /// `<@mesh, [{"x"}, {}], replicated={"y"}>`
    fn sharding(&mut self, meshes: &[Mesh]) -> Result<NamedSharding> {
        self.expect("<")?;
        let mut n = NamedSharding { mesh: self.mesh()?, ..NamedSharding::default() };
        let named = n.mesh.name.as_ref().and_then(|name| meshes.iter().find(|m| m.name == *name));
        if let Some(mesh) = named.filter(|m| m.axes.is_empty())
            && let [device] = mesh.device_ids[..]
        {
            n.word = Some(format!("single_device[device_id={device}]").into());
        }
        self.expect(",")?;
        self.expect("[")?;
        while !self.eat("]") {
            n.dims.push(self.dimension()?);
            self.eat(",");
        }
        while self.eat(",") {
            let key = self.take("`replicated`", |c| c.is_ascii_alphabetic())?;
            self.expect("=")?;
            // `unreduced=max{"y"}`: how, where it is no sum.
            let how = ["sum", "max", "min"].into_iter().find(|how| self.eat(how));
            self.expect("{")?;
            let mut axes = Vec::new();
            while !self.eat("}") {
                axes.push(self.axis()?);
                self.eat(",");
            }
            let key = how.filter(|&how| how != "sum").map_or(key.into(), |how| format!("{key}={how}").into());
            n.axes.push((key, axes));
        }
        self.expect(">")?;
        Ok(n)
    }

    /// `@mesh`, `mesh<["x"=2], device_ids=[1, 0]>`
    fn mesh(&mut self) -> Result<MeshAxes> {
        let mut m = MeshAxes::default();
        if self.eat("@") {
            m.name = Some(self.name()?);
            return Ok(m);
        }
        self.eat("#sdy.");
        self.expect("mesh")?;
        self.expect("<")?;
        self.expect("[")?;
        while !self.eat("]") {
            let name = self.string()?;
            self.expect("=")?;
            m.axes.push((name, self.int()?));
            self.eat(",");
        }
        if self.eat(",") {
            self.expect("device_ids")?;
            self.expect("=")?;
            self.expect("[")?;
            let mut devices = Vec::new();
            while !self.eat("]") {
                devices.push(self.int()?);
                self.eat(",");
            }
            m.order = Some(TileAssignment { devices, ..TileAssignment::default() });
        }
        self.expect(">")?;
        Ok(m)
    }

    /// `{"x", "y":(1)2, ?}p1`
    fn dimension(&mut self) -> Result<NamedDim> {
        let mut dim = NamedDim::default();
        self.expect("{")?;
        while !self.eat("}") {
            if self.eat("?") {
                dim.open = true;
            } else {
                dim.axes.push(self.axis()?);
            }
            self.eat(",");
        }
        if self.rest.starts_with('p') {
            self.expect("p")?;
            self.int()?; // A priority of propagation.
        }
        Ok(dim)
    }

    fn axis(&mut self) -> Result<SubAxis> {
        let name = self.string()?;
        let mut part = None;
        if self.eat(":") {
            self.expect("(")?;
            let before = self.int()?;
            self.expect(")")?;
            part = Some((before, self.int()?));
        }
        Ok(SubAxis { name, part })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sharding, Tiling};
    use sim_core::ir::{Attr, Mesh};

    fn meshes() -> Vec<Mesh> {
        let mesh = |name: &str, axes: &[(&str, i64)], device_ids: &[i64]| Mesh {
            name: name.into(),
            axes: axes.iter().map(|(n, s)| ((*n).into(), *s)).collect(),
            device_ids: device_ids.into(),
            attrs: Default::default(),
            loc: Default::default(),
        };
        vec![
            mesh("m", &[("x", 2), ("y", 2)], &[]),
            mesh("back", &[("x", 2)], &[1, 0]),
            mesh("one", &[], &[3]),
        ]
    }

    fn read(text: &str) -> sim_core::Result<Vec<Sharding>> {
        Sharding::list_from_attr(&Attr::Verbatim(text.into()), &meshes())
    }

    fn tiled(tiles: &[usize], tile_of: &[usize]) -> Sharding {
        Sharding::Tiled(Tiling::plain(tiles.into(), tile_of.into()))
    }

    #[test]
    fn forms_of_shardy() {
        let one = |text: &str| read(text).unwrap().remove(0);
        assert_eq!(
            one(r#"#sdy.sharding<@m, [{"x", ?}p1, {}], replicated={"y"}>"#),
            tiled(&[2, 1], &[0, 0, 1, 1])
        );
        assert_eq!(one(r#"#sdy.sharding<@m, [{"y"}, {"x"}]>"#), tiled(&[2, 2], &[0, 2, 1, 3]));
        assert_eq!(one(r#"#sdy.sharding<@back, [{"x"}]>"#), tiled(&[2], &[1, 0]));
        assert_eq!(one(r#"#sdy.sharding<mesh<["a"=4]>, [{"a":(1)2}]>"#), tiled(&[2], &[0, 0, 1, 1]));
        assert_eq!(one("#sdy.sharding<@one, []>"), Sharding::Maximal(3));
        assert_eq!(read(r#"#sdy.sharding_per_value<[<@m, [{}]>, <@m, [{"x"}]>]>"#).unwrap().len(), 2);
        assert_eq!(read("#sdy.sharding_per_value<[]>").unwrap(), []);
    }

    #[test]
    fn what_is_cut_off_is_malformed() {
        let whole = r#"#sdy.sharding<@m, [{"x", "y":(1)2, ?}p1, {}], replicated={"y"}>"#;
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{}", &whole[..end]);
        }
        assert!(read(r#"#sdy.sharding<@other, [{"x"}]>"#).is_err());
        assert!(read(r#"#sdy.sharding<@m, [{"z"}]>"#).is_err());
    }
}
