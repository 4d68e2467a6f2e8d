// Ordinary texts from Debian packages on this machine: fortunes (/usr/share/games/fortunes) and documentation
// (/usr/share/doc), whole paragraphs and single lines. Pages of HTML are apart: they are markup, and many have scripts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const DOCUMENTS = /^(README.*|NEWS.*|changelog.*|.*\.(txt|md|py|sh|php|c|sql))$/
const PAGES = /\.html?$/
const LONGEST = 3_000

export interface OrdinaryStrings {
  /** Numbers of files. */
  readonly fortunes: number
  readonly documents: number
  readonly pages: number
  readonly strings: readonly string[]
  readonly ofPages: readonly string[]
}

export function ordinaryStrings(): OrdinaryStrings {
  const fortunes = filesBelow('/usr/share/games/fortunes', (name) => !/\.(dat|u8)$/.test(name))
  const [documents, pages] = [DOCUMENTS, PAGES].map((names) =>
    filesBelow('/usr/share/doc', (name) => names.test(name.replace(/\.gz$/, ''))),
  ) as [string[], string[]] // one for each
  return {
    fortunes: fortunes.length,
    documents: documents.length,
    pages: pages.length,
    strings: [...fortunes.flatMap((path) => split(textOf(path), /\n%\n/)), ...documents.flatMap(partsOf)],
    ofPages: pages.flatMap(partsOf),
  }
}

/** Its lines and its paragraphs. */
function partsOf(path: string): string[] {
  const text = textOf(path)
  return [...split(text, /\n/), ...split(text, /\n\s*\n/)]
}

function filesBelow(folder: string, isWanted: (name: string) => boolean): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && isWanted(entry.name))
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
}

function textOf(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').toWellFormed()
}

const split = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim().slice(0, LONGEST))
    .filter((part) => part.length > 3)
