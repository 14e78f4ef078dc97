use record::{Calibration, Host};
use rusqlite::{OptionalExtension as _, params};

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
        self.connection
            .execute(
                "INSERT INTO calibration (measured, weir, cpu, cores, kernel, facts)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                values,
            )
            .map(|_| ())
            .map_err(|error| self.error(&error))
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
        self.connection
            .prepare_cached(latest)
            .and_then(|mut query| {
                query
                    .query_row(params![weir, host.cpu, host.cores, host.kernel], |row| {
                        from_json(row, 0)
                    })
                    .optional()
            })
            .map_err(|error| self.unreadable(&error, "the calibration"))
    }
}
