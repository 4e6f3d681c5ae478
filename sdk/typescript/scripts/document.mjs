// Fetches openapi.json from a daemon of the binary LOCI_BIN, which serves what its routes say.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const binary = process.env.LOCI_BIN;
if (!binary) throw new Error("LOCI_BIN is not set: give the `loci` binary, as LOCI_BIN=…/target/release/loci");

const home = await mkdtemp(join(tmpdir(), "loci-document-"));
const daemon = spawn(binary, ["serve", "--port", "0", "--json"], {
  cwd: home,
  env: { ...process.env, LOCI_HOME: join(home, "home") },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [line] = await once(createInterface({ input: daemon.stdout }), "line");
  const { url, tokenFile } = JSON.parse(line);
  const token = process.env.LOCI_TOKEN ?? (await readFile(tokenFile, "utf8")).trim();
  const answer = await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`the daemon answered ${answer.status}`);
  const text = JSON.stringify(await answer.json(), null, 2);
  await writeFile(new URL("../openapi.json", import.meta.url), `${text}\n`);
} finally {
  daemon.kill();
  await once(daemon, "exit");
  await rm(home, { recursive: true, force: true });
}
