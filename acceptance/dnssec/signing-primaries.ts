// Third-party primaries that sign a zone of ours: configured as in docs/transfers.md, and to sign.
import { run } from '../../scripts/process.ts'
import {
  put,
  startKnotWith,
  startNamedWith,
  type Nameserver,
  type Start,
} from '../secondaries/nameservers.ts'
import { changeAtKnot, changeAtNamed, UPDATED_HERE } from '../secondaries/primaries.ts'
import { pageBlock } from '../secondaries/transfers-page.ts'

export interface Denial {
  readonly nsec3: boolean
  readonly optOut: boolean
  readonly iterations: number
}

export interface SigningPrimary extends Nameserver {
  /** Sets the address of `www`. The zone gets another serial, and its primary sends NOTIFY. */
  readonly change: (address: string) => Promise<void>
  /** Makes all signatures again, or as many as it can; undefined if it has no command for that. */
  readonly resign: (() => Promise<void>) | undefined
  /** The DS of the zone, as text. */
  readonly ds: () => Promise<string>
}

export interface UnsignedZone {
  readonly name: string
  readonly text: string
}

/** By the name of the test requirement. */
export const SIGNING_PRIMARIES = { knotd: startKnot, named: startNamed } as const

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

async function startKnot(start: Start, zone: UnsignedZone, denial: Denial): Promise<SigningPrimary> {
  put(start.folder, `${zone.name}.zone`, zone.text)
  const policy =
    `policy:\n  - id: signing\n    algorithm: ecdsap256sha256\n    cds-cdnskey-publish: always\n` +
    `    nsec3: ${onOff(denial.nsec3)}\n    nsec3-opt-out: ${onOff(denial.optOut)}\n` +
    `    nsec3-iterations: ${denial.iterations}\n    nsec3-salt-length: ${denial.iterations === 0 ? 0 : 8}\n`
  const zones = pageBlock('knot-primary', start)
    .replaceAll('followed.example', zone.name)
    .replace(
      `  - domain: ${zone.name}\n`,
      `  - domain: ${zone.name}\n    dnssec-signing: on\n    dnssec-policy: signing\n    zonefile-sync: -1\n` +
        `    zonefile-load: difference\n`,
    )
  const server = await startKnotWith(start, policy + zones)
  return {
    ...server,
    change: (address) => changeAtKnot(server, zone, address),
    resign: () => server.knotc('zone-sign', zone.name),
    async ds() {
      const { output } = await run('keymgr', ['-c', server.file, zone.name, 'ds'])
      const line = output.split('\n').find((each) => /\sDS\s+\d+\s+\d+\s+2\s/.test(each))
      if (line === undefined) throw new Error(output)
      return dsLine(zone.name, line)
    },
  }
}

async function startNamed(start: Start, zone: UnsignedZone, denial: Denial): Promise<SigningPrimary> {
  const { folder } = start
  put(folder, `${zone.name}.zone`, zone.text)
  const nsec3 = `nsec3param iterations ${denial.iterations} optout ${denial.optOut ? 'yes' : 'no'} salt-length 0;`
  const policy = `dnssec-policy signing { keys { ksk lifetime unlimited algorithm 13; zsk lifetime unlimited algorithm 13; }; ${denial.nsec3 ? nsec3 : ''} };\n`
  const zones = pageBlock('named-primary', start)
    .replaceAll('followed.example', zone.name)
    .replace('ixfr-from-differences yes;\n', '')
    .replace('type primary;', `${UPDATED_HERE}\n dnssec-policy signing;\n inline-signing no;`)
  const server = await startNamedWith(
    start,
    policy + zones,
    ` notify-delay 0;\n minimal-responses yes;\n zero-no-soa-ttl no;\n key-directory "${folder}";\n`,
  )
  return {
    ...server,
    change: (address) => changeAtNamed(start, zone, address),
    resign: undefined,
    async ds() {
      const entryPoints = `grep -l 'DNSKEY 257' ${folder}/K${zone.name}.+013+*.key`
      const { output } = await run('sh', ['-c', `dnssec-dsfromkey -2 $(${entryPoints})`])
      return dsLine(zone.name, output)
    },
  }
}

/** Key tag, algorithm, digest type, and digest, with the members that validating.ts skips. */
function dsLine(name: string, text: string): string {
  const [, tag, algorithm, type, digest] = /DS\s+(\d+)\s+(\d+)\s+(\d+)\s+([0-9A-Fa-f ]+)/.exec(text) ?? []
  if (digest === undefined) throw new Error(`no DS: ${text}`)
  return `${name}. 3600 IN DS ${tag} ${algorithm} ${type} ${digest.replaceAll(' ', '').trim()}`
}
