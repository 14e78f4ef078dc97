use record::{Calibration, Host};
use rusqlite::params;

use crate::read::json as from_json;
use crate::write::json;
use crate::{Store, StoreError};

impl Store {
    /// Writes a calibration down.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn save_calibration(&mut self, calibration: &Calibration) -> Result<(), StoreError> {
        let host = &calibration.host;
        let values = params![
            calibration.measured.to_string(),
            calibration.weir,
            host.cpu,
            host.cores,
            host.kernel,
            json("the calibration", calibration)?,
        ];
        let insert = "INSERT INTO calibration (measured, weir, cpu, cores, kernel, facts)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let inserted = self.connection.execute(insert, values).map(|_| ());
        inserted.map_err(|error| self.error(&error))
    }

    /// The latest calibration that holds for this machine and this version of weir: another
    /// processor, number of cores, kernel or engine has another ceiling.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn calibration(&self, host: &Host, weir: &str) -> Result<Option<Calibration>, StoreError> {
        let latest = "SELECT facts FROM calibration
                      WHERE weir = ?1 AND cpu = ?2 AND cores = ?3 AND kernel = ?4
                      ORDER BY id DESC LIMIT 1";
        let key = params![weir, host.cpu, host.cores, host.kernel];
        let found = self.all(latest, key, "the calibration", |row| from_json(row, 0))?;
        Ok(found.into_iter().next())
    }
}
