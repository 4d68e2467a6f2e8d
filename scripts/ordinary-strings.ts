// Ordinary texts from Debian packages on this machine: fortunes (/usr/share/games/fortunes) and documentation
// (/usr/share/doc), whole paragraphs and single lines.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const DOCUMENTS = /^(README.*|NEWS.*|changelog.*|.*\.(txt|md|py|sh|php|c|sql|html))$/
const LONGEST = 3_000

export interface OrdinaryStrings {
  /** Numbers of files. */
  readonly fortunes: number
  readonly documents: number
  readonly strings: readonly string[]
}

export function ordinaryStrings(): OrdinaryStrings {
  const fortunes = filesBelow('/usr/share/games/fortunes', (name) => !/\.(dat|u8)$/.test(name))
  const documents = filesBelow('/usr/share/doc', (name) => DOCUMENTS.test(name.replace(/\.gz$/, '')))
  const strings = [
    ...fortunes.flatMap((path) => split(textOf(path), /\n%\n/)),
    ...documents.flatMap((path) => [...split(textOf(path), /\n/), ...split(textOf(path), /\n\s*\n/)]),
  ]
  return { fortunes: fortunes.length, documents: documents.length, strings }
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
