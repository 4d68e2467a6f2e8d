// The last good configuration of each zone on disk, so that an edge that starts without its server decides.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCoreRules, type CoreRulesDocument } from './core-rules-document.ts'
import { readZoneDocument, type ZoneDocument } from './zone-document.ts'

const CORE_RULE_SET = 'core-rule-set.json'
const FILE = /^[0-9a-f]{32}\.json$/
/** Rules may contain secrets. */
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

export type DocumentStore = ReturnType<typeof createDocumentStore>

/** @param folder is created if it does not exist; undefined: nothing is stored. */
export function createDocumentStore(folder: string | undefined) {
  return { readAll, save, remove, readCoreRuleSet, saveCoreRuleSet }

  /** @returns the documents, and the problems of files that are none. */
  async function readAll(): Promise<{ documents: ZoneDocument[]; problems: string[] }> {
    const documents: ZoneDocument[] = []
    const problems: string[] = []
    if (folder === undefined) return { documents, problems }
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    for (const name of await readdir(folder)) {
      if (!FILE.test(name)) continue
      try {
        documents.push(readZoneDocument(JSON.parse(await readFile(join(folder, name), 'utf8'))))
      } catch (error) {
        problems.push(`${join(folder, name)}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    return { documents, problems }
  }

  async function save(document: ZoneDocument): Promise<void> {
    if (folder !== undefined) await replace(pathOf(document.id), document)
  }

  /** Replaces the file in one step: a crash leaves the old one or the new one. */
  async function replace(path: string, document: object): Promise<void> {
    await writeFile(`${path}.new`, JSON.stringify(document), { mode: PRIVATE_FILE, flush: true })
    await rename(`${path}.new`, path)
  }

  /** @returns undefined if none is stored. @throws if the file cannot be read. */
  async function readCoreRuleSet(): Promise<CoreRulesDocument | undefined> {
    if (folder === undefined || !existsSync(join(folder, CORE_RULE_SET))) return undefined
    return readCoreRules(JSON.parse(await readFile(join(folder, CORE_RULE_SET), 'utf8')))
  }

  async function saveCoreRuleSet(document: CoreRulesDocument | undefined): Promise<void> {
    if (folder === undefined) return
    if (document === undefined) await rm(join(folder, CORE_RULE_SET), { force: true })
    else await replace(join(folder, CORE_RULE_SET), document)
  }

  async function remove(zoneId: string): Promise<void> {
    if (folder !== undefined) await rm(pathOf(zoneId), { force: true })
  }

  function pathOf(zoneId: string): string {
    const name = `${zoneId}.json`
    if (folder === undefined || !FILE.test(name)) throw new Error(`${zoneId} is not the ID of a zone`)
    return join(folder, name)
  }
}
