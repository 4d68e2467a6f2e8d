// What a release contains of others: a bill of materials (CycloneDX 1.6) and the texts of all licenses. Both depend only
// on the lock file and the installed packages, so two builds of one commit have the same.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** An entry of `packages` in package-lock.json, as far as it is used. */
export interface LockedPackage {
  readonly version: string
  readonly license?: string
  /** `sha512-` and the digest in base64. */
  readonly integrity?: string
}

export interface ThirdParty extends LockedPackage {
  /** Its folder. */
  readonly path: string
  readonly name: string
  readonly license: string
}

/** Licenses that allow what we do with these packages. Another one needs a decision, so it fails the release. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'OFL-1.1',
  'Unlicense',
  'MPL-2.0',
  'BlueOak-1.0.0',
])
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i

/**
 * @param paths folders of installed packages.
 * @throws Error: one is not locked, or its license is not allowed.
 */
export function thirdPartiesAt(root: string, paths: readonly string[]): ThirdParty[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const found = paths.map((path) => {
    const key = relative(root, path).split(sep).join('/')
    return checkedThirdParty(key, path, lock.packages[key])
  })
  return found.toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1))
}

/** @param key path of the package in the lock file. */
export function checkedThirdParty(key: string, path: string, locked: LockedPackage | undefined): ThirdParty {
  if (locked === undefined) throw new Error(`${key} is not in package-lock.json; run npm ci`)
  const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { license } = locked
  if (license === undefined || !isAllowed(license))
    throw new Error(`${name} has the license ${license}, which is not one of ${[...ALLOWED].join(', ')}`)
  return { ...locked, path, name, license }
}

/** Licenses to choose from, like `(BSD-3-Clause OR GPL-2.0)`, or a single one. Other expressions are refused. */
const CHOICES = /^\(?([\w.+-]+(?: OR [\w.+-]+)*)\)?$/
const isChoice = (license: string): boolean => license.includes(' OR ')
/** One of them is enough. */
const isAllowed = (license: string): boolean =>
  CHOICES.exec(license)?.[1]
    ?.split(' OR ')
    .some((choice) => ALLOWED.has(choice)) === true

/** A bill of materials without time and serial number: the same for the same contents. */
export function billOfMaterials(
  version: string,
  nodeVersion: string,
  parties: readonly ThirdParty[],
): string {
  const component = (party: ThirdParty) => ({
    type: 'library',
    'bom-ref': purlOf(party),
    name: party.name,
    version: party.version,
    licenses: [isChoice(party.license) ? { expression: party.license } : { license: { id: party.license } }],
    purl: purlOf(party),
    ...(party.integrity === undefined ? {} : { hashes: [hashOf(party.integrity)] }),
  })
  const node = {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${nodeVersion}`,
    name: 'node',
    version: nodeVersion,
  }
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/zonereeve@${version}`,
        name: 'zonereeve',
        version,
      },
    },
    components: [node, ...parties.map(component)],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

const purlOf = ({ name, version }: ThirdParty): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}

/** Name, version and license of each package, with the texts that it comes with. */
export function formatLicenses(parties: readonly ThirdParty[]): string {
  const entries = parties.map(({ path, name, version, license }) => {
    const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file))
    return [
      `${name} ${version}: ${license}`,
      ...files.map((file) => readFileSync(join(path, file), 'utf8').trim()),
    ]
  })
  return entries.map((lines) => `${lines.join('\n\n')}\n`).join(`\n${'-'.repeat(80)}\n\n`)
}
