// What changed between two contents of a script: the two to compare, and the changed lines, both beautified.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { diffOf, sourcePath, type WireContents, type WireScriptDiff } from '../../api/scripts.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { dateTime } from '../../parts/time.tsx'
import { bytesText } from '../../strings/server-health.ts'
import { scriptStrings } from '../../strings/scripts.ts'

const text = scriptStrings.diff

interface ContentDiffProps {
  readonly zone: WireZone
  readonly scriptId: string
  readonly history: WireContents['history']
}

type Content = WireContents['history'][number]

export function ContentDiff({ zone, scriptId, history }: ContentDiffProps) {
  const stored = history.filter(({ source }) => source)
  const [chosen, choose] = useState<{ readonly from?: string; readonly to?: string }>({})
  const [newest, previous] = stored
  const to = chosen.to ?? newest?.content_sha256
  const from = chosen.from ?? previous?.content_sha256
  return (
    <Section title={text.title} note={text.note}>
      <div className="stack">
        {newest === undefined && (
          <p className="soft">
            {text.notStored}{' '}
            <Link to="/zones/$zone/monitoring" params={{ zone: zone.name }}>
              {text.toSettings}
            </Link>
          </p>
        )}
        {newest !== undefined && previous === undefined && <p className="soft">{text.onlyOne}</p>}
        {to !== undefined && from !== undefined && (
          <>
            <div className="row compared">
              <ContentChoice
                label={text.from}
                contents={stored}
                value={from}
                onChange={(next) => choose({ ...chosen, from: next })}
              />
              <ContentChoice
                label={text.to}
                contents={stored}
                value={to}
                onChange={(next) => choose({ ...chosen, to: next })}
              />
            </div>
            <Difference zone={zone} scriptId={scriptId} from={from} to={to} />
          </>
        )}
        {stored.length > 0 && (
          <p className="small soft">
            {text.sources}{' '}
            {stored.map(({ content_sha256: sha256 }, index) => (
              <span key={sha256}>
                {index > 0 && ', '}
                <a className="mono" href={sourcePath(zone.id, scriptId, sha256)} download>
                  {sha256.slice(0, 8)}
                </a>
              </span>
            ))}
          </p>
        )}
      </div>
    </Section>
  )
}

interface ContentChoiceProps {
  readonly label: string
  readonly contents: readonly Content[]
  readonly value: string
  readonly onChange: (sha256: string) => void
}

function ContentChoice({ label, contents, value, onChange }: ContentChoiceProps) {
  const id = useId()
  return (
    <div className="row nowrap">
      <label className="soft" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="sel auto" value={value} onChange={({ target }) => onChange(target.value)}>
        {contents.map(({ content_sha256: sha256, first_fetched_at: at, bytes }) => (
          <option key={sha256} value={sha256}>
            {text.content(dateTime(at), sha256.slice(0, 8), bytesText(bytes))}
          </option>
        ))}
      </select>
    </div>
  )
}

interface DifferenceProps {
  readonly zone: WireZone
  readonly scriptId: string
  readonly from: string
  readonly to: string
}

function Difference({ zone, scriptId, from, to }: DifferenceProps) {
  const { data: diff, error } = useQuery({ ...diffOf(zone.id, scriptId, from, to), enabled: from !== to })
  if (from === to) return <p className="soft">{text.same}</p>
  if (error !== null) return <Problem error={error} />
  if (diff === undefined) return null
  return (
    <>
      <p role="status">
        {text.counts(diff.added, diff.removed, diff.moved)} {diff.form === 'text' && text.asText}{' '}
        {diff.shortened && text.shortened}
      </p>
      {diff.hunks.length > 0 && <Hunks diff={diff} />}
    </>
  )
}

const LINES: Readonly<
  Record<WireScriptDiff['hunks'][number]['lines'][number]['kind'], readonly [string, string]>
> = {
  same: ['', ' '],
  added: ['a', '+'],
  removed: ['d', '−'],
  moved_from: ['h', '↑'],
  moved_to: ['h', '↓'],
}

function Hunks({ diff }: { readonly diff: WireScriptDiff }) {
  return (
    <ol
      className="diff plan-lines"
      tabIndex={0}
      aria-label={text.label(dateTime(diff.from.first_fetched_at), dateTime(diff.to.first_fetched_at))}
    >
      {diff.hunks.map(({ from_line: fromLine, to_line: toLine, lines }) => (
        <HunkLines key={`${fromLine},${toLine}`} head={text.hunk(fromLine, toLine)} lines={lines} />
      ))}
    </ol>
  )
}

interface HunkLinesProps {
  readonly head: string
  readonly lines: WireScriptDiff['hunks'][number]['lines']
}

function HunkLines({ head, lines }: HunkLinesProps) {
  return (
    <>
      <li className="h">
        <span />
        <span>{head}</span>
      </li>
      {lines.map(({ kind, text: line }, index) => (
        <li key={index} className={LINES[kind][0]}>
          <span>{LINES[kind][1]}</span>
          <span>{line}</span>
        </li>
      ))}
    </>
  )
}
