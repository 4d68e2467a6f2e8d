// npm run check -- links: every relative link in every Markdown file has a target (heading anchors included), and every
// hop of a record write in docs/architecture.md is an existing function.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.md']).toString()
const files = listed.split('\n').filter((file) => file !== '' && existsSync(file))
const broken: string[] = []
let links = 0

for (const file of files) {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  // Link text may contain a line break, because prose is wrapped.
  for (const [, target = ''] of text.matchAll(/\[[^\]]+\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    links++
    if (!leadsSomewhere(file, target)) broken.push(`${file}: ${target}`)
  }
}

const MAX_HOPS = 20
const ARCHITECTURE = 'docs/architecture.md'
const hops = [...readFileSync(ARCHITECTURE, 'utf8').matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm)]
for (const [, file = '', name = ''] of hops)
  if (!definesFunction(file, name)) broken.push(`${ARCHITECTURE}: no function ${name} in ${file}`)
if (hops.length === 0 || hops.length > MAX_HOPS)
  broken.push(`${ARCHITECTURE}: ${hops.length} hops of a record write; expected 1 to ${MAX_HOPS}`)

for (const line of broken) console.log(line)
console.log(`${files.length} files, ${links} links, ${broken.length} broken`)
process.exitCode = broken.length === 0 && links > 0 ? 0 : 1

function leadsSomewhere(file: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const found = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(found)) return false
  return anchor === undefined || anchorsOf(readFileSync(found, 'utf8')).includes(anchor)
}

/** Paths without `packages/` are relative to the server's source. */
function definesFunction(file: string, name: string): boolean {
  const path = file.startsWith('packages/') ? file : `packages/server/src/${file}`
  if (!existsSync(path)) return false
  const definition = new RegExp(`(function\\*? ${name}\\b|^  (async |\\*)?${name}\\(|const ${name} = )`, 'm')
  return definition.test(readFileSync(path, 'utf8'))
}

/** Anchors as the code host derives them from headings: lower case, whitespace to hyphens, other characters dropped. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
