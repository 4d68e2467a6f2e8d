// zonereeve dnssec: shows whether a zone is signed and with which keys, and rolls keys.
import type { WireDnssec, WireDnssecKeys } from '@zonereeve/contract'
import type { Command } from 'commander'
import type { Api } from './api.ts'
import { integersOf } from './numbers.ts'
import type { OutputRow } from './output.ts'
import { client, run, write, type Print } from './verb.ts'

const MAX_KEY_TAG = 65_535
const KEY_COLUMNS = ['role', 'state', 'key_tag', 'algorithm', 'since', 'next_on', 'ds']

export function addDnssecCommands(program: Command): void {
  const dnssec = program.command('dnssec').description('sign zones and roll over their keys')
  client(dnssec.command('status <zone>'))
    .description('show whether a zone is signed, and its keys with what they wait for')
    .action(
      run(async (api, [zone = ''], print) => {
        const { result: found } = await api.call<WireDnssecKeys>('GET', `${await ownPath(api, zone)}/keys`)
        process.stderr.write(`note: ${found.status}\n`)
        printKeys(found, print)
      }),
    )
  for (const [name, status, description] of SWITCHES) {
    changing(dnssec.command(`${name} <zone>`))
      .description(description)
      .action(
        run(async (api, [zone = ''], print, options) => {
          const path = `/zones/${await api.zoneId(zone)}/dnssec`
          const result = await write(api, 'PATCH', path, { status }, options)
          const shown = result as unknown as WireDnssec // matches its schema
          print([{ status: shown.status, ds: shown.ds }], ['status', 'ds'])
        }),
      )
  }
  for (const [name, role, description] of ROLLS) {
    changing(dnssec.command(`${name} <zone>`))
      .description(description)
      .action(
        run(async (api, [zone = ''], print, options) => {
          const result = await write(api, 'POST', `${await ownPath(api, zone)}/roll`, { role }, options)
          printKeys(result as unknown as WireDnssecKeys, print) // of its schema
        }),
      )
  }
  changing(dnssec.command('roll-algorithm <zone> <algorithm>'))
    .description('start an algorithm rollover: ECDSAP256SHA256 or ED25519')
    .action(
      run(async (api, [zone = '', algorithm = ''], print, options) => {
        const result = await write(api, 'POST', `${await ownPath(api, zone)}/roll`, { algorithm }, options)
        printKeys(result as unknown as WireDnssecKeys, print) // of its schema
      }),
    )
  const parent = dnssec
    .command('parent')
    .argument('<zone>')
    .argument('[tags...]', 'key tags', integersOf(0, MAX_KEY_TAG))
  changing(parent)
    .description("query the parent's DS now; or set it, with key tags or --none")
    .option('--none', 'the parent has no DS')
    .action(
      run(async (api, [zone = '', ...given], print, options) => {
        const tags = given.flat()
        if (tags.length > 0 && options['none'] === true) throw new Error('use either key tags or --none')
        const isDescribed = tags.length > 0 || options['none'] === true
        const body = isDescribed ? { key_tags: tags } : {}
        const result = await write(api, 'POST', `${await ownPath(api, zone)}/parent_check`, body, options)
        printKeys(result as unknown as WireDnssecKeys, print) // of its schema
      }),
    )
}

const SWITCHES = [
  ['enable', 'active', 'sign a zone and print the DS for its parent'],
  ['disable', 'disabled', 'stop signing after the parent has removed the DS'],
] as const

const ROLLS = [
  ['roll-zsk', 'zsk', 'start a rollover of the zone signing key'],
  ['roll-ksk', 'ksk', 'start a rollover of the key signing key'],
] as const

const changing = (command: Command): Command =>
  client(command).option('--dry-run', 'show what would be rejected')

const ownPath = async (api: Api, zone: string): Promise<string> =>
  `/zonereeve/zones/${await api.zoneId(zone)}/dnssec`

function printKeys({ keys }: WireDnssecKeys, print: Print): void {
  print(keys as unknown as OutputRow[], KEY_COLUMNS) // rows may have any members
}
