// npm run check -- links: every relative link of every Markdown file leads somewhere, heading anchors included.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.md']).toString()
const files = listed.split('\n').filter((file) => file !== '' && existsSync(file))
const broken: string[] = []
let links = 0

for (const file of files) {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  // Brackets may hold a line break, where prose is wrapped.
  for (const [, target = ''] of text.matchAll(/\[[^\]]+\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    links++
    if (!leadsSomewhere(file, target)) broken.push(`${file}: ${target}`)
  }
}

for (const line of broken) console.log(line)
console.log(`${files.length} files, ${links} links, ${broken.length} broken`)
process.exitCode = broken.length === 0 && links > 0 ? 0 : 1

function leadsSomewhere(file: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const found = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(found)) return false
  return anchor === undefined || anchorsOf(readFileSync(found, 'utf8')).includes(anchor)
}

/** Headings as the code host makes anchors of them: lower case, blanks to hyphens, other signs dropped. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
