//! Tuples, tokens, and the host's side: feeds, sends, prints.

use super::Site;
use crate::runtime::{Process, Value};
use sim_core::ir::Op;
use sim_core::{Diagnostic, Result, Type};

impl Process<'_> {
    pub(super) fn tokens(&self, site: &Site<'_>, mut operands: Vec<Value>) -> Result<Vec<Value>> {
        match &site.op.op {
            Op::Tuple => Ok(vec![Value::Tuple(operands)]),
            Op::GetTupleElement { index } => match operands.pop() {
                Some(Value::Tuple(mut values)) if (*index as usize) < values.len() => {
                    Ok(vec![values.swap_remove(*index as usize)])
                }
                _ => Err(Diagnostic::invalid(format!("there is no tuple element {index}"))),
            },
            Op::AfterAll | Op::CreateToken => Ok(vec![Value::Token]),
            Op::Infeed { .. } => match self.member {
                Some(member) => {
                    let mut values = self.infeed(member)?;
                    values.push(Value::Token);
                    Ok(values)
                }
                None => Err(host_only("infeed")),
            },
            // Nobody listens: the values leave the device, and the program goes on.
            Op::Outfeed { .. } => Ok(vec![Value::Token]),
            Op::Send { channel, is_host_transfer, source_target_pairs } => {
                operands.pop(); // the token
                if *is_host_transfer {
                    self.send_to_host(channel.handle, operands)?;
                } else {
                    self.send(channel.handle, source_target_pairs.as_deref(), operands)?;
                }
                Ok(vec![Value::Token])
            }
            Op::Recv { channel, is_host_transfer, source_target_pairs } => {
                let types: Vec<&Type> = site.op.results.iter().map(|&v| site.f.function.ty(v)).collect();
                let data = types.split_last().map_or(&[][..], |(_, data)| data);
                let mut values = if *is_host_transfer {
                    self.recv_from_host(channel.handle, data)?
                } else {
                    self.recv(channel.handle, source_target_pairs.as_deref(), data)?
                };
                values.push(Value::Token);
                Ok(values)
            }
            Op::InterpreterPrint => {
                if let (Some(sink), Some(value)) = (&self.exe.print, operands.first()) {
                    sink(value, site.f.function.ty(site.op.operands[0]));
                }
                Ok(Vec::new())
            }
            Op::InterpreterProbe { id } => {
                if let Some(Value::Tensor(t)) = operands.first() {
                    let mut probes = self.outside.probes.lock().unwrap_or_else(|e| e.into_inner());
                    probes.entry(id.clone()).or_default().push(t.clone());
                }
                Ok(operands)
            }
            other => Err(Diagnostic::unsupported(format!("{} as a token operation", other.name()))),
        }
    }
}

pub(crate) fn host_only(what: &str) -> Diagnostic {
    Diagnostic::unsupported(format!("{what}: no host feeds this run"))
        .help("make the data an argument of the function, and give it with --inputs")
}
