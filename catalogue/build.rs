//! Makes cargo notice entries that are added or removed, not only edited ones.

fn main() {
    println!("cargo::rerun-if-changed=app-servers");
    println!("cargo::rerun-if-changed=front-ends");
    println!("cargo::rerun-if-changed=services");
    println!("cargo::rerun-if-changed=supervisors");
    println!("cargo::rerun-if-changed=samples");
    println!("cargo::rerun-if-changed=tools.toml");
}
