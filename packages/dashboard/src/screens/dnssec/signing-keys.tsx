// The keys of a zone with their rollover state, and starting a rollover.
import { rollKey, type WireDnssec, type WireDnssecKeys } from '../../api/dnssec.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age, Until } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { algorithmName, dnssecStrings as text } from '../../strings/dnssec.ts'

type Key = WireDnssecKeys['keys'][number]

const TONES: Readonly<Record<Key['state'], Tone>> = {
  signing: 'expected',
  published: 'expected',
  ready: 'expected',
  active: 'normal',
  outgoing: 'off',
  withdrawn: 'off',
}

/** The other one of the two that the server signs with. */
const OTHER_ALGORITHMS: Readonly<Record<string, 'ECDSAP256SHA256' | 'ED25519'>> = {
  '13': 'ED25519',
  '15': 'ECDSAP256SHA256',
}

interface SigningKeysProps {
  readonly zone: WireZone
  readonly signing: WireDnssec
  readonly keys: readonly Key[]
}

export function SigningKeys({ zone, signing, keys }: SigningKeysProps) {
  const { columns } = text
  return (
    <>
      <Section title={text.keys} note={text.keysNote}>
        {keys.length === 0 ? (
          <p className="soft">{text.noKeys}</p>
        ) : (
          <table className="plain">
            <thead>
              <tr>
                <th className="w88">{columns.tag}</th>
                <th className="w120">{columns.role}</th>
                <th className="w152 o1">{columns.algorithm}</th>
                <th>{columns.state}</th>
                <th className="w88 num">{columns.since}</th>
                <th className="w104 num">{columns.next}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key.id}>
                  <td className="mono">{key.key_tag}</td>
                  <td>{text.roles[key.role]}</td>
                  <td className="o1">{algorithmName(String(key.algorithm))}</td>
                  <td>
                    <StatusWord tone={TONES[key.state]}>{text.states[key.state]}</StatusWord>
                  </td>
                  <td className="num soft">
                    <Age at={key.since} />
                  </td>
                  <td className="num soft">
                    {key.next_on === null ? (
                      <span className="dim">{text.never}</span>
                    ) : (
                      <Until at={key.next_on} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Rollover zone={zone} signing={signing} />
    </>
  )
}

function Rollover({ zone, signing }: Omit<SigningKeysProps, 'keys'>) {
  const action = useZoneAction(zone.id)
  const other = signing.algorithm === null ? undefined : OTHER_ALGORITHMS[signing.algorithm]
  const start = (body: Parameters<typeof rollKey>[1]) => () =>
    action.mutate({ run: () => rollKey(zone.id, body), done: text.rolled })
  return (
    <Section title={text.roll} note={text.rollNote}>
      <div className="stack">
        <p className="prose">{text.rollKskNote}</p>
        <div className="row">
          <button type="button" className="btn" disabled={action.isPending} onClick={start({ role: 'zsk' })}>
            {text.rollZsk}
          </button>
          <button type="button" className="btn" disabled={action.isPending} onClick={start({ role: 'ksk' })}>
            {text.rollKsk}
          </button>
          {other !== undefined && (
            <button
              type="button"
              className="btn"
              disabled={action.isPending}
              onClick={start({ algorithm: other })}
            >
              {text.rollAlgorithm(algorithmName(other === 'ED25519' ? '15' : '13'))}
            </button>
          )}
        </div>
        <Problem error={action.error} />
      </div>
    </Section>
  )
}
