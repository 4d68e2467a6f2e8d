// What a watched page was, newest first, each observation with its changes against the one before.
import type { WireChangedSnapshot } from '../../api/watched-pages.ts'
import { Section } from '../../parts/section.tsx'
import { Exact } from '../../parts/time.tsx'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'
import { changeLines, observationBefore, unchangedText } from './page-changes.ts'

export function PageHistory({ snapshots }: { readonly snapshots: readonly WireChangedSnapshot[] }) {
  return (
    <Section title={text.history} note={text.historyNote}>
      <div className="stack">
        {snapshots.length <= 1 && <p className="soft">{text.noHistory}</p>}
        {snapshots.length > 1 &&
          snapshots.map((one) => (
            <Change
              key={one.number}
              snapshot={one}
              before={observationBefore(one, snapshots)}
              shown={snapshots.length}
            />
          ))}
      </div>
    </Section>
  )
}

interface ChangeProps {
  readonly snapshot: WireChangedSnapshot
  /** undefined = there is none, or it is not shown. */
  readonly before: WireChangedSnapshot | undefined
  /** How many observations are shown. */
  readonly shown: number
}

function Change({ snapshot, before, shown }: ChangeProps) {
  const lines = changeLines(snapshot, before ?? snapshot)
  return (
    <div>
      <p className="small">
        <b>
          <Exact at={snapshot.first_seen_at} />
        </b>{' '}
        <span className="soft">{text.sources[snapshot.source]}</span>
      </p>
      {lines.length === 0 ? (
        <p className="soft small">{unchangedText(before, shown)}</p>
      ) : (
        <ul className="diff wrap">
          {lines.map(({ mark, text: line }, index) => (
            <li key={`${index}${line}`} className={mark === '+' ? 'a' : 'd'}>
              <span>{mark}</span>
              <span>{line}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
