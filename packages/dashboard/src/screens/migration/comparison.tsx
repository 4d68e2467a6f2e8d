// What a recording's requests would be decided differently: a file is dropped or chosen, read here, and its requests
// are sent to the server in batches.
import { useRef, useState } from 'react'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { numberText } from '../../strings.ts'
import { migrationStrings as text } from '../../strings/migration.ts'
import { MAX_REQUESTS, useComparison, type Compared, type DifferentRequest } from './comparison-run.ts'

interface ComparisonProps {
  readonly zone: WireZone
  /** Whether with the rules that would be deployed, not the current ones. */
  readonly isPlanned: boolean
}

const ROWS_SHOWN = 50

export function Comparison({ zone, isPlanned }: ComparisonProps) {
  const { run, progress, compared, error, stop } = useComparison(zone, isPlanned)
  const [isOver, setOver] = useState(false)
  const isDifferent = compared !== undefined && compared.rows.length > 0
  return (
    <section
      className={isOver ? 'sec drop over' : 'sec drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file !== undefined) run(file)
      }}
    >
      <span className={isDifferent ? 'mk warn' : 'mk dim'}>
        <Icon name={isDifferent ? 'warning' : 'off'} />
      </span>
      <div>
        <h2>{text.compared}</h2>
        <p className="clip">{compared?.name ?? text.comparedNote}</p>
      </div>
      <div className="stack">
        {compared === undefined && <p className="prose">{text.compareIntro}</p>}
        {compared !== undefined && <Findings compared={compared} />}
        <div className="row">
          {progress === undefined ? (
            <FileButton
              label={compared === undefined ? text.compareChoose : text.compareAnother}
              onFile={run}
            />
          ) : (
            <>
              <progress aria-label={text.compared} value={progress.done} max={progress.all} />
              <span role="status">{text.compareProgress(progress.done, progress.all)}</span>
              <button type="button" className="btn" onClick={stop}>
                {text.compareStop}
              </button>
            </>
          )}
        </div>
        <Problem error={error} />
      </div>
    </section>
  )
}

function FileButton({ label, onFile }: { readonly label: string; readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className="btn" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept=".log,.txt,.har,application/json,text/plain"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) onFile(file)
          target.value = ''
        }}
      />
    </>
  )
}

function Findings({ compared }: { readonly compared: Compared }) {
  const { rows, differing, count, elsewhere, unread, rejected, total, isLog } = compared
  const leftOut = text.compareLeftOut(elsewhere, unread, rejected)
  const { columns } = text
  return (
    <>
      <p role="status">
        <b>{text.compareResult(differing, count)}</b> {isLog && text.compareBetter}{' '}
        {leftOut !== '' && text.compareNotCompared(leftOut)}{' '}
        {total > MAX_REQUESTS && text.compareTooMany(total, MAX_REQUESTS)}
      </p>
      {rows.length > 0 && (
        <table className="plain">
          <thead>
            <tr>
              <th>{columns.request}</th>
              <th className="w104 opt2">{columns.now}</th>
              <th className="w104">{columns.after}</th>
              <th className="w232 opt2">{columns.by}</th>
              <th className="w64 num">{columns.times}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_SHOWN).map((row) => (
              <FindingRow key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      )}
      {rows.length > ROWS_SHOWN && <p className="small dim">{text.compareShown(ROWS_SHOWN, rows.length)}</p>}
    </>
  )
}

function FindingRow({ row }: { readonly row: DifferentRequest }) {
  return (
    <tr>
      <td className="mono" title={row.url}>
        {row.request}
      </td>
      <td className="opt2">
        <Decision action={row.now} />
      </td>
      <td>
        <Decision action={row.after} />
      </td>
      <td className="opt2 soft" title={row.by}>
        {row.by}
      </td>
      <td className="num mono">{numberText(row.times)}</td>
    </tr>
  )
}

const TONES: Readonly<Record<string, Tone>> = { block: 'wrong', allow: 'normal', log: 'off' }

function Decision({ action }: { readonly action: string }) {
  return <StatusWord tone={TONES[action] ?? 'warning'}>{text.actions[action] ?? action}</StatusWord>
}
