//! Stacks of real servers, in one program: it is linked once.

mod advice;
mod apps;
mod asked;
mod defaults;
mod deployed;
mod describe;
mod dial_in;
mod entries;
mod files;
mod guardian;
mod instances;
mod kept_behind;
mod odd_names;
mod params;
mod php;
mod php_files;
mod php_sites;
mod probes;
mod ready;
mod recognise;
mod serve;
mod sources;
mod support;
mod trouble;
