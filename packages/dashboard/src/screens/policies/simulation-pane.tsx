// What a policy would break: the simulation of the server over everything that was detected.
import type { PolicyDraft, WireSimulation, WireSuggestion } from '../../api/policies.ts'
import { Problem } from '../../parts/problem.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { numberText } from '../../strings.ts'
import { policyStrings } from '../../strings/policies.ts'
import { splitUrl } from '../inventory/inventory-url.ts'
import type { Obstacle } from './policy-draft.ts'
import { sourceFor } from './policy-text.ts'

const text = policyStrings.simulation
const ENGINES = ['chromium', 'firefox', 'webkit'] as const

type Blocked = WireSimulation['blocked'][number]

interface SimulationPaneProps {
  readonly draft: PolicyDraft
  /** undefined if it can be simulated. */
  readonly obstacle: Obstacle | undefined
  /** undefined while it is awaited, and for a policy that cannot be simulated. */
  readonly simulation: WireSimulation | undefined
  /** Whether it is of an earlier text. */
  readonly isOld: boolean
  readonly error: Error | null
  readonly leftOut: WireSuggestion['left_out'] | undefined
  readonly onAllow: (directive: string, source: string) => void
}

export function SimulationPane(props: SimulationPaneProps) {
  const { draft, obstacle, simulation, isOld, error, leftOut, onAllow } = props
  const isAwaited = obstacle === undefined && simulation === undefined && error === null
  return (
    <>
      <div className="phead">
        <h2>{text.title}</h2>
        {simulation !== undefined && (
          <span className="dim">{text.checked(simulation.checked, simulation.total)}</span>
        )}
      </div>
      <div className={isOld ? 'body stack lg old' : 'body stack lg'}>
        <Problem error={error} />
        {obstacle !== undefined && <p className="soft">{text.obstacles[obstacle]}</p>}
        {isAwaited && <p className="soft">{text.awaited}</p>}
        {simulation !== undefined && <Outcome simulation={simulation} onAllow={onAllow} />}
        {leftOut !== undefined && leftOut.length > 0 && <LeftOut items={leftOut} />}
        {obstacle !== 'reporting' && <Header draft={draft} />}
      </div>
    </>
  )
}

interface OutcomeProps {
  readonly simulation: WireSimulation
  readonly onAllow: (directive: string, source: string) => void
}

function Outcome({ simulation: { checked, blocked, forbidden }, onAllow }: OutcomeProps) {
  const figures = [
    { value: blocked.length, name: text.blocked },
    { value: checked - blocked.length, name: text.loads },
    { value: blocked.filter((one) => one.browsers_differ).length, name: text.differ },
  ]
  return (
    <>
      <div className="trio" role="status">
        {figures.map(({ value, name }) => (
          <div key={name}>
            <span className="figure">{numberText(value)}</span>
            <p className="soft">{name}</p>
          </div>
        ))}
      </div>
      {blocked.length === 0 ? (
        <p className="soft">{text.nothing}</p>
      ) : (
        <table className="plain two">
          <thead>
            <tr>
              <th>{text.resource}</th>
              <th className="w120 opt2">{text.by}</th>
              <th className="w136">{text.where}</th>
              <th className="w64 num">
                <span className="vh">{text.allow}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {blocked.map((one) => (
              <BlockedRow key={`${one.type}${one.id}`} blocked={one} onAllow={onAllow} />
            ))}
          </tbody>
        </table>
      )}
      {forbidden.length > 0 && (
        <div>
          <h2 className="small dim">{text.withoutUrl}</h2>
          <dl className="kv">
            {forbidden.map((what) => (
              <Forbidden key={what} name={text.forbidden[what]} />
            ))}
          </dl>
        </div>
      )}
    </>
  )
}

const Forbidden = ({ name }: { readonly name: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{text.everyPage}</dd>
  </>
)

interface BlockedRowProps {
  readonly blocked: Blocked
  readonly onAllow: (directive: string, source: string) => void
}

function BlockedRow({ blocked, onAllow }: BlockedRowProps) {
  const { url, type, directive, malicious: isMalicious } = blocked
  const { host, rest } = splitUrl(url)
  // Another directive would replace the one that blocks it, for everything else, too.
  const at = directive ?? (type === 'script' ? 'script-src' : 'connect-src')
  return (
    <tr>
      <td className="mono" title={url}>
        <span className={isMalicious ? 'bad' : undefined}>{host}</span>
        {isMalicious && <span className="vh">, {text.malicious}</span>}
        <br />
        <span className="dim">{rest === '' ? blocked.page_url : rest}</span>
      </td>
      <td className="mono opt2 soft">{directive}</td>
      <td>
        <BlockedIn blocked={blocked} />
      </td>
      <td className="num">
        <button
          type="button"
          className="link"
          aria-label={text.allowUrl(url)}
          onClick={() => onAllow(at, sourceFor(url))}
        >
          {text.allow}
        </button>
      </td>
    </tr>
  )
}

function BlockedIn({ blocked }: { readonly blocked: Blocked }) {
  const { blocked_in: engines, browsers_differ: differ, depends_on_path: isOpen } = blocked
  const note = isOpen && (
    <>
      <br />
      <span className="small dim">{text.dependsOnPath}</span>
    </>
  )
  if (!differ)
    return (
      <>
        {text.everywhere}
        {note}
      </>
    )
  const others = ENGINES.filter((engine) => !engines.includes(engine))
  return (
    <>
      <StatusWord tone="warning">{namesOf(engines)}</StatusWord>
      <br />
      <span className="small dim">{text.lets(namesOf(others), others.length === 1)}</span>
    </>
  )
}

const namesOf = (engines: Blocked['blocked_in']): string =>
  engines.map((engine) => text.browsers[engine]).join(', ')

function LeftOut({ items }: { readonly items: WireSuggestion['left_out'] }) {
  return (
    <div>
      <h2 className="small dim">{text.leftOut}</h2>
      <table className="plain">
        <tbody>
          {items.map(({ id, type, url, cause }) => (
            <tr key={`${type}${id}`}>
              <td className="mono" title={url}>
                {url}
              </td>
              <td className="w176 soft">{text.causes[cause]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Header({ draft: { action, value } }: { readonly draft: PolicyDraft }) {
  const name = action === 'allow' ? 'Content-Security-Policy' : 'Content-Security-Policy-Report-Only'
  const line = `${name}: ${value}`
  return (
    <div>
      <h2 className="small dim">{text.header(new TextEncoder().encode(line).length)}</h2>
      <pre tabIndex={0} className="code wrap">
        {line}
      </pre>
    </div>
  )
}
