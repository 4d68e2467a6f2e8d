// zonereeve crs: imports the OWASP Core Rule Set into the data folder, shows and removes it, even while a server uses
// the folder: it uses the rules within seconds.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  describeSupport,
  findMissingReferences,
  parseRuleSet,
  prepareRuleSet,
  type RuleSet,
  type SourceFile,
} from '@zonereeve/seclang'
import type { Config } from '@zonereeve/config'
import {
  findCoreRuleSet,
  removeCoreRuleSet,
  saveCoreRuleSet,
} from '../../features/firewall/core-rule-set/index.ts'
import { withStorage } from './with-storage.ts'

/** Debian keeps the setup file apart from the rules. */
const DEBIAN_RULES = '/usr/share/modsecurity-crs'
const DEBIAN_SETUP = '/etc/modsecurity/crs/crs-setup.conf'
const MAX_FILE_BYTES = 8 * 1024 * 1024

/**
 * Parses first, then stores: nothing changes if a file cannot be read.
 * @param path a folder with `*.conf` and `*.data`, or with such a folder `rules`; or one file of rules
 */
export async function importCommand(config: Config, path: string): Promise<void> {
  const ruleSet = prepareRuleSet(parseRuleSet(readSources(path)))
  const rules = ruleSet.items.filter(({ kind }) => kind === 'rule').length
  if (rules === 0) throw new Error(`${path}: no rules found; expected *.conf files with SecRule directives`)
  const missing = findMissingReferences(ruleSet)
  if (missing.length > 0) throw new Error(`${path}: not whole; nothing was changed\n${missing.join('\n')}`)
  await withStorage(config, (storage) => storage.write((tx) => saveCoreRuleSet(tx, ruleSet, randomUUID())))
  process.stdout.write(`imported ${path}; a running server uses it within seconds\n${reportOf(ruleSet)}`)
}

export async function showCommand(config: Config): Promise<void> {
  const ruleSet = await withStorage(config, findCoreRuleSet)
  process.stdout.write(
    ruleSet === undefined
      ? "no Core Rule Set was imported; the program's own OWASP-like ruleset is used\n"
      : reportOf(ruleSet),
  )
}

export async function removeCommand(config: Config): Promise<void> {
  await withStorage(config, (storage) => storage.write((tx) => removeCoreRuleSet(tx, randomUUID())))
  process.stdout.write('removed; a running server uses its own OWASP-like ruleset within seconds\n')
}

function readSources(path: string): readonly SourceFile[] {
  if (!existsSync(path)) throw new Error(`${path}: not found`)
  if (!statSync(path).isDirectory()) {
    return [readSource(path), ...filesIn(dirname(path), /\.data$/).map(readSource)]
  }
  const rules = existsSync(join(path, 'rules')) ? join(path, 'rules') : path
  const isDebian = path.replace(/\/+$/, '') === DEBIAN_RULES && existsSync(DEBIAN_SETUP)
  const setup = isDebian ? [DEBIAN_SETUP] : rules === path ? [] : filesIn(path, /^crs-setup\.conf$/)
  return [...setup, ...filesIn(rules, /\.(?:conf|data)$/)].map(readSource)
}

const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .toSorted()
    .map((name) => join(folder, name))

function readSource(path: string): SourceFile {
  const { size } = statSync(path)
  if (size > MAX_FILE_BYTES) throw new Error(`${path}: larger than ${MAX_FILE_BYTES} bytes`)
  // Patterns are bytes.
  return { name: basename(path), text: readFileSync(path, 'latin1') }
}

function reportOf(ruleSet: RuleSet): string {
  const support = describeSupport(ruleSet, { hasResponse: false })
  const count = (level: string): number => support.filter((one) => one.level === level).length
  const version = ruleSet.version === '' ? 'without a version' : ruleSet.version
  const lines = [
    `OWASP Core Rule Set ${version}: ${support.length} rules`,
    `  run      ${count('run')}`,
    `  partly   ${count('partly')}`,
    `  not run  ${count('not-run')}`,
  ]
  for (const level of ['partly', 'not-run'] as const) {
    for (const { id, reasons } of support.filter((one) => one.level === level)) {
      lines.push(`${level === 'partly' ? 'partly' : 'not run'} ${id}: ${reasons.join('; ')}`)
    }
  }
  for (const { file, line, name, reason } of ruleSet.ignored)
    lines.push(`${file}:${line}: ${name}: ${reason}`)
  return `${lines.join('\n')}\n`
}
