//! Weights of models have their own signature: the permission to sign an image does not include the choice of its weights.
//! A card with the root of the weights' hash tree is signed, so the signature can be verified without reading all weights.

use crate::iso::{Iso, Medium};
use crate::manifest::{Blob, Manifest, Verity};
use crate::manifest_capnp::card;
use crate::refusal::{About as _, Checked, refuse};
use crate::trust::{Judged, Purpose, Trust, check_schema, message, text, words_of};
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

const SCHEMA_VERSION: u32 = 1;
const MOST_SIGNATURE_BYTES: u64 = 4096;

/// Fields of a card that init checks against the manifest.
struct Card {
    id: String,
    verity: Option<Verity>,
}

/// Checks that a key for weights has signed all weights of the manifest. Cards are among the artefacts that were verified as a whole.
pub fn check<M: Medium>(iso: &Iso<'_, M>, manifest: &Manifest, sealed: &HashMap<String, File>, trust: &Trust) -> Checked<()> {
    for weights in manifest.artefacts.iter().filter(|blob| !blob.card.is_empty()) {
        let Some((card, file)) = manifest.artefact(&weights.card).zip(sealed.get(&weights.card)) else {
            return refuse(&weights.path, "they have no card");
        };
        let signature = format!("{}.sig", card.path);
        let signed = iso.read(&signature, MOST_SIGNATURE_BYTES).about(&signature)?;
        judge(weights, &raw(file, card).about(&card.path)?, &signed, trust).about(&card.path)?;
    }
    Ok(())
}

fn raw(file: &File, card: &Blob) -> std::io::Result<Vec<u8>> {
    let mut raw = vec![0; usize::try_from(card.size).map_err(|_| std::io::ErrorKind::InvalidData)?];
    file.read_exact_at(&mut raw, 0)?;
    Ok(raw)
}

fn judge(weights: &Blob, raw: &[u8], signature: &[u8], trust: &Trust) -> Judged<()> {
    let signed = trust.check(Purpose::Weights, raw, signature)?;
    let card = Card::read(raw)?;
    if card.id != signed.system_id {
        return Err("it is signed under another name".into());
    }
    match card.verity.is_some() && card.verity == weights.verity {
        true => Ok(()),
        false => Err(format!("it is the card of other weights than {}", weights.path)),
    }
}

impl Card {
    fn read(raw: &[u8]) -> Judged<Self> {
        let message = message(raw)?;
        let root: card::Reader = message.get_root().map_err(words_of)?;
        check_schema(root.get_schema_version(), SCHEMA_VERSION)?;
        Ok(Self { id: text(root.get_id())?, verity: Verity::read(root.get_verity().map_err(words_of)?)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::tests::{key, sign_weights, trust_for};
    use ed25519_dalek::SigningKey;

    const ID: &str = "llama:sha256-07";

    fn tree() -> Verity {
        Verity { content_bytes: 8192, salt: vec![5; 32], root_hash: [6; 32] }
    }

    fn card(schema: u32, tree: &Verity) -> Vec<u8> {
        let mut message = capnp::message::Builder::new_default();
        let mut card: card::Builder = message.init_root();
        card.set_schema_version(schema);
        card.set_id(ID);
        let mut verity = card.init_verity();
        verity.set_content_bytes(tree.content_bytes);
        verity.set_salt(&tree.salt);
        verity.set_root_hash(&tree.root_hash);
        capnp::serialize::write_message_to_words(&message)
    }

    fn judged(raw: &[u8], signature: &[u8], purposes: &[Purpose]) -> Judged<()> {
        let weights = Blob {
            name: "weights.smol".into(),
            path: "/boot/models/smol.gguf".into(),
            size: 3 * 4096,
            sha256: [0; 32],
            verity: Some(tree()),
            card: "card.smol".into(),
        };
        let trust = Trust::read(&trust_for(&key(), purposes)).unwrap();
        judge(&weights, raw, signature, &trust)
    }

    #[test]
    fn weights_run_only_if_a_key_for_weights_signed_their_card() {
        let honest = card(1, &tree());
        let signature = sign_weights(&key(), ID, &honest);
        assert_eq!(judged(&honest, &signature, &[Purpose::Image, Purpose::Weights]), Ok(()));
        let is_unknown = |judged: Judged<()>| judged.is_err_and(|why| why.starts_with("signed by an unknown key, "));
        assert!(is_unknown(judged(&honest, &signature, &[Purpose::Image])));
        let stranger = sign_weights(&SigningKey::from_bytes(&[9; 32]), ID, &honest);
        assert!(is_unknown(judged(&honest, &stranger, &[Purpose::Weights])));
        let image = crate::trust::tests::sign(&key(), "lab", "1.2.0", &honest);
        assert_eq!(judged(&honest, &image, &[Purpose::Image, Purpose::Weights]), Err("signed for another purpose".into()));
    }

    #[test]
    fn a_card_is_valid_only_for_its_content_and_its_id() {
        for other in [
            Verity { root_hash: [7; 32], ..tree() },
            Verity { content_bytes: 8191, ..tree() },
            Verity { salt: vec![4; 32], ..tree() },
        ] {
            let raw = card(1, &other);
            let said = judged(&raw, &sign_weights(&key(), ID, &raw), &[Purpose::Weights]);
            assert_eq!(said, Err("it is the card of other weights than /boot/models/smol.gguf".into()));
        }
        let raw = card(1, &tree());
        let renamed = judged(&raw, &sign_weights(&key(), "llama:sha256-08", &raw), &[Purpose::Weights]);
        assert_eq!(renamed, Err("it is signed under another name".into()));
        let newer = card(2, &tree());
        let said = judged(&newer, &sign_weights(&key(), ID, &newer), &[Purpose::Weights]);
        assert_eq!(said, Err("schema version 2, but this system knows 1".into()));
        let changed = card(1, &Verity { root_hash: [8; 32], ..tree() });
        assert_eq!(judged(&changed, &sign_weights(&key(), ID, &raw), &[Purpose::Weights]), Err("its signature does not hold".into()));
    }
}
