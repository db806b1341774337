// Packs the extension into one file that VS Code installs. The same sources give the same bytes: the files have a fixed order and no times.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { strToU8, zipSync } from "fflate";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const CHECKOUT = join(HERE, "../../..");

interface Description {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
}

export const DESCRIPTION: Description = JSON.parse(readHere("package.json"));

/** Returns the bytes of the .vsix. */
export async function packExtension(): Promise<Uint8Array> {
  const { client, notices } = await bundleClient();
  const files: Readonly<Record<string, string>> = {
    "[Content_Types].xml": renderContentTypes(),
    "extension.vsixmanifest": renderVsixManifest(DESCRIPTION),
    "extension/LICENSE.txt": readFileSync(join(CHECKOUT, "LICENSE"), "utf8"),
    "extension/ThirdPartyNotices.txt": notices,
    "extension/dist/extension.cjs": client,
    "extension/language-configuration.json": readHere("language-configuration.json"),
    "extension/package.json": readHere("package.json"),
    "extension/readme.md": readHere("README.md"),
    "extension/syntaxes/cap.tmLanguage.json": readHere("../../../lang/spec/cap.tmLanguage.json"),
  };
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // A zip cannot omit the time of a file, so each file has the earliest possible time. A zip contains local times, so
  // this time does not depend on the time zone of the build.
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: new Date(1980, 0, 1), os: 3 });
}

function readHere(name: string): string {
  return readFileSync(join(HERE, name), "utf8");
}

/** Returns the client bundled as one file, and the notices with the licences of the bundled packages. VS Code itself provides `vscode`. */
async function bundleClient(): Promise<{ readonly client: string; readonly notices: string }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: CHECKOUT,
    entryPoints: [join(HERE, "extension.ts")],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    external: ["vscode"],
    format: "cjs",
    platform: "node",
    target: "node20",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => findPackage(path) ?? []));
  return { client: outputFiles[0]?.text ?? "", notices: [...packages].sort().map(noticeOf).join("\n\n") };
}

/**
 * Returns the folder of a file's package, such as `node_modules/a/node_modules/@b/c`; `undefined` if it is in no
 * package.
 */
function findPackage(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

const LICENCES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "License.txt", "license", "license.txt"];

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(CHECKOUT, folder, "package.json"), "utf8"));
  const texts = LICENCES.flatMap((file) => readText(join(CHECKOUT, folder, file)) ?? []);
  if (texts.length === 0) throw new Error(`${relative(CHECKOUT, folder)} has no licence to bring along`);
  return `${name} ${version} (${license})\n\n${texts[0]?.trim()}\n`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function renderContentTypes(): string {
  const types = {
    cjs: "application/javascript",
    json: "application/json",
    md: "text/markdown",
    txt: "text/plain",
    vsixmanifest: "text/xml",
  };
  const lines = Object.entries(types).map(([end, type]) => `  <Default Extension=".${end}" ContentType="${type}"/>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join("")}</Types>
`;
}

function renderVsixManifest({ name, displayName, description, version, publisher, engines }: Description): string {
  const renderAsset = (type: string, path: string): string =>
    `    <Asset Type="Microsoft.${type}" Path="extension/${path}" Addressable="true"/>\n`;
  const renderProperty = (id: string, value: string): string =>
    `      <Property Id="Microsoft.VisualStudio.Code.${id}" Value="${escapeXml(value)}"/>\n`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escapeXml(name)}" Version="${escapeXml(version)}" Publisher="${escapeXml(publisher)}"/>
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Categories>Programming Languages,Linters,Formatters</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
${renderProperty("Engine", engines.vscode)}${renderProperty("ExtensionKind", "workspace")}    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
${renderAsset("VisualStudio.Code.Manifest", "package.json")}${renderAsset("VisualStudio.Services.Content.Details", "readme.md")}${renderAsset("VisualStudio.Services.Content.License", "LICENSE.txt")}  </Assets>
</PackageManifest>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
