import { checkRules } from './infra/check/layers.ts';
import { readFiles } from './infra/check/project.ts';
const files = readFiles();
const targets = [...files.keys()].filter((f) => /^(infra\/(bicep|terraform|gateway|alerts|entra|profiles)\/|\.github|azure\.yaml|host\.json)/.test(f) && !f.endsWith('.md') && !f.includes('tests/') && !f.endsWith('.tftest.hcl'));
let n = 0, missed = 0; const step = Number(process.argv[2] ?? 7); let i = 0;
const end = Date.now() + 200_000;
outer: for (const file of targets) {
  const lines = files.get(file)!.split('\n');
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k]!;
    if (/^\s*(\/\/|#|$|[\])}]|description|@description|<!--)/.test(line) || /^\s*[\])}]+,?$/.test(line)) continue;
    if (i++ % step !== 0) continue;
    if (Date.now() > end) break outer;
    let mutated: string | undefined;
    if (/\btrue\b/.test(line)) mutated = line.replace(/\btrue\b/, 'false');
    else if (/\bfalse\b/.test(line)) mutated = line.replace(/\bfalse\b/, 'true');
    else if (/\b\d+\b/.test(line) && i % 2) mutated = line.replace(/\b(\d+)\b/, (d) => String(Number(d) + 1));
    else mutated = undefined;
    const copy = [...lines]; if (mutated === undefined) copy.splice(k, 1); else copy[k] = mutated;
    n++;
    const { faults } = await checkRules(new Map(files).set(file, copy.join('\n')));
    if (faults.length === 0) { missed++; console.log(`MISSED ${file}:${k + 1}: ${mutated === undefined ? 'deleted ' : 'now '}${(mutated ?? line).trim().slice(0, 120)}`); }
  }
}
console.log(n, missed);
