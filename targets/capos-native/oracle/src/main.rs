//! Reads lines of hexadecimal digits, each a boot manifest, and writes one line for each. `accepted HEX` has the decoded manifest as
//! upstream's encoder writes it; `refused STAGE: WHY` is the error. For a line of two manifests it writes `equal` if both decode to equal
//! values, or `differ WHAT`. The crate checks the stages and compares the values.

use capos_config::{
    KernelBootstrapManifest, ManifestBootstrapPlan, SystemManifest, validate_boot_manifest_size,
    validation::{
        validate_system_manifest_authority, validate_system_manifest_binary_refs,
        validate_system_manifest_bootstrap, validate_system_manifest_cap_sources,
        validate_system_manifest_graph,
    },
};
use std::io::{BufRead, Write, stdin, stdout};

type Stage = (&'static str, fn(&[u8]) -> capos_config::Result<()>);

/// Checks of a manifest, from its size to the processes that init starts.
const STAGES: &[Stage] = &[
    ("size", |bytes| validate_boot_manifest_size(bytes.len())),
    ("kernel", |bytes| KernelBootstrapManifest::from_capnp_bytes(bytes)?.validate_bootstrap()),
    ("name-only", |bytes| {
        KernelBootstrapManifest::from_capnp_bytes(bytes)?.validate_bootstrap_name_only()
    }),
    ("plan", |bytes| ManifestBootstrapPlan::from_capnp_bytes(bytes)?.validate_bootstrap()),
    ("whole", |bytes| {
        let manifest = SystemManifest::from_capnp_bytes(bytes)?;
        validate_system_manifest_bootstrap(&manifest)?;
        validate_system_manifest_graph(&manifest)?;
        validate_system_manifest_binary_refs(&manifest)?;
        validate_system_manifest_cap_sources(&manifest)?;
        validate_system_manifest_authority(&manifest)
    }),
];

fn main() {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let answer = match line {
            Ok(text) => match text.trim().split_once(' ') {
                Some((one, other)) => comparison_of(one, other),
                None => answer_to(text.trim()),
            },
            Err(error) => format!("refused line: {error}"),
        };
        writeln!(out, "{answer}").expect("standard output is open");
    }
}

fn answer_to(text: &str) -> String {
    let Some(bytes) = bytes_of(text) else {
        return "refused line: it is not hexadecimal".into();
    };
    for (stage, check) in STAGES {
        if let Err(error) = check(&bytes) {
            return format!("refused {stage}: {}", error.to_string().replace('\n', " "));
        }
    }
    let again = SystemManifest::from_capnp_bytes(&bytes).and_then(|manifest| manifest.to_capnp_bytes());
    match again {
        Ok(encoded) => format!("accepted {}", hex_of(&encoded)),
        Err(error) => format!("refused again: {error}"),
    }
}

fn comparison_of(one: &str, other: &str) -> String {
    let understood = |text: &str| -> Result<(SystemManifest, ManifestBootstrapPlan), String> {
        let bytes = bytes_of(text).ok_or("it is not hexadecimal")?;
        let manifest = SystemManifest::from_capnp_bytes(&bytes).map_err(|error| error.to_string())?;
        let plan = ManifestBootstrapPlan::from_capnp_bytes(&bytes).map_err(|error| error.to_string())?;
        Ok((manifest, plan))
    };
    let ((before, old), (after, new)) = match (understood(one), understood(other)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) | (_, Err(error)) => return format!("refused line: {}", error.replace('\n', " ")),
    };
    let parts = [
        ("schemaVersion", before.schema_version == after.schema_version),
        ("binaries", before.binaries == after.binaries),
        ("init", old.init == new.init),
        ("services", old.services == new.services),
        ("exitWhenServiceExits", old.exit_when_service_exits == new.exit_when_service_exits),
        ("kernelParams", before.kernel_params == after.kernel_params),
        ("extensionPoints", before.extension_points == after.extension_points),
    ];
    let differing: Vec<&str> = parts.iter().filter(|(_, same)| !same).map(|(name, _)| *name).collect();
    match differing.as_slice() {
        [] => "equal".into(),
        names => format!("differ {}", names.join(" ")),
    }
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    if text.len() % 2 != 0 || !text.is_ascii() {
        return None;
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
