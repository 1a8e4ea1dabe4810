//! What a program sends to its host and receives from it (`send` and `recv` with `is_host_transfer`).

use super::world::Member;
use super::{Process, Value};
use sim_core::{Result, Tensor, Type};

/// The host of a run. Called on the threads of the devices, which wait for it.
pub trait HostTransfers: Sync {
    /// What `device` (`replica * partitions + partition`) sent on `channel`.
    ///
    /// # Errors
    /// End the run.
    fn send(&self, device: usize, channel: i64, values: Vec<Tensor>) -> Result<()>;

    /// What `device` shall receive on `channel`, of these types.
    ///
    /// # Errors
    /// End the run.
    fn recv(&self, device: usize, channel: i64, types: &[&Type]) -> Result<Vec<Tensor>>;
}

impl Process<'_> {
    fn device(&self) -> usize {
        self.member.map_or(0, |m| m.grid().flat(m.id()))
    }

    /// Where there is no host, what one device sends is what others receive on that channel; of one device alone
    /// the values leave it, and the program goes on.
    pub(super) fn send_to_host(&self, channel: i64, values: Vec<Value>) -> Result<()> {
        match (self.outside.host, self.member) {
            (Some(host), _) => {
                let values = values.into_iter().map(Value::tensor).collect::<Result<_>>()?;
                host.send(self.device(), channel, values)
            }
            (None, Some(member)) => {
                member.post_to_host(channel, values);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    /// `types`: of what is received.
    pub(super) fn recv_from_host(&self, channel: i64, types: &[&Type]) -> Result<Vec<Value>> {
        if let Some(host) = self.outside.host {
            return Ok(host.recv(self.device(), channel, types)?.into_iter().map(Value::from).collect());
        }
        let member: &Member<'_> = self.member.ok_or_else(|| super::ops::host_only("recv"))?;
        member.fetch_from_host(channel)
    }
}
