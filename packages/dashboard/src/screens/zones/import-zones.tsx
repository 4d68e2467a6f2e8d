// Zones from files: several at once, each with what is in it before anything is created, and its own result.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { accountList, zoneKeys } from '../../api/zones.ts'
import { AccountChoice } from '../../parts/account-choice.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { strings } from '../../strings.ts'
import { importStrings as text } from '../../strings/zone-import.ts'
import { useChosenFiles, type ChosenFile } from './chosen-files.ts'
import { fillZone, importFile, type CreatedZone, type ImportResult } from './import-run.ts'
import { originOf, type WrongLine } from './zone-files.ts'

const isReady = ({ preview, isTaken, result }: ChosenFile): boolean =>
  preview !== undefined && preview.wrongCount === 0 && isTaken !== true && result === undefined

interface ImportZonesProps {
  /** Whether files are chosen: closing would lose them, and results. */
  readonly onBusy: (isBusy: boolean) => void
  readonly onClose: () => void
}

export function ImportZones({ onBusy, onClose }: ImportZonesProps) {
  const queries = useQueryClient()
  const { data: accounts } = useQuery(accountList)
  const [accountId, setAccountId] = useState<string>()
  const account = accounts?.find(({ id }) => id === accountId) ?? accounts?.[0]
  const [lowersTtls, setLowersTtls] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const { files, add, change, remove } = useChosenFiles()
  const ready = files.filter(isReady)
  useEffect(() => onBusy(files.length > 0), [files.length, onBusy])
  const whileRunning = async (work: () => Promise<void>): Promise<void> => {
    setRunning(true)
    await work()
    setRunning(false)
    await queries.invalidateQueries({ queryKey: zoneKeys.all })
  }
  const run = async (): Promise<void> => {
    for (const { key } of ready) change(key, { result: { kind: 'waiting' } })
    for (const { key, zone, text: content } of ready) {
      change(key, { result: { kind: 'running' } })
      const file = { name: zone.trim(), text: content, accountId: account?.id, lowersTtls }
      change(key, { result: await importFile(file) })
    }
  }
  const fillAgain = async ({ key, text: content }: ChosenFile, zone: CreatedZone): Promise<void> => {
    change(key, { result: { kind: 'running' } })
    change(key, { result: await fillZone(zone, { text: content, lowersTtls }) })
  }
  return (
    <Section title={text.title} note={text.note} kind="hi" onEscape={isRunning ? () => undefined : onClose}>
      <div className="stack">
        <FileButton isFirst={files.length === 0} isDisabled={isRunning} onFiles={add} />
        {files.length > 0 && (
          <ul className="imports">
            {files.map((file) => (
              <FileRow
                key={file.key}
                file={file}
                isRunning={isRunning}
                onName={(zone) => change(file.key, { zone })}
                onRemove={() => remove(file.key)}
                onFillAgain={(zone) => void whileRunning(() => fillAgain(file, zone))}
              />
            ))}
          </ul>
        )}
        <label className="opt">
          <input
            type="checkbox"
            className="ck"
            checked={lowersTtls}
            disabled={isRunning}
            onChange={({ target }) => setLowersTtls(target.checked)}
          />
          {text.lowerTtls}
        </label>
        <div className="row">
          <AccountChoice accounts={accounts} chosen={account} onChoose={setAccountId} />
          <button
            type="button"
            className="btn primary"
            disabled={isRunning || ready.length === 0}
            onClick={() => void whileRunning(run)}
          >
            {text.create(ready.length)}
          </button>
          <button type="button" className="btn" disabled={isRunning} onClick={onClose}>
            {files.some(({ result }) => result !== undefined) ? strings.toast.close : strings.cancel}{' '}
            <kbd>Esc</kbd>
          </button>
        </div>
        <p className="vh" role="status">
          {isRunning ? '' : summaryOf(files)}
        </p>
      </div>
    </Section>
  )
}

function summaryOf(files: readonly ChosenFile[]): string {
  const results = files.map(({ result }) => result).filter((result) => result !== undefined)
  if (results.length === 0) return ''
  return text.summary(results.filter(({ kind }) => kind === 'created').length, results.length)
}

interface FileButtonProps {
  readonly isFirst: boolean
  readonly isDisabled: boolean
  readonly onFiles: (files: readonly File[]) => Promise<void>
}

function FileButton({ isFirst, isDisabled, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="row">
      <button
        type="button"
        className={isFirst ? 'btn primary' : 'btn'}
        autoFocus
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {isFirst ? text.choose : text.chooseMore}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text.choose}
        accept=".zone,.txt,.db,.dns,.hosts,text/plain,text/dns"
        onChange={({ target }) => {
          void onFiles([...(target.files ?? [])]) // none was chosen
          target.value = ''
        }}
      />
      {isFirst && <span className="soft">{text.chooseNote}</span>}
    </div>
  )
}

interface FileRowProps {
  readonly file: ChosenFile
  readonly isRunning: boolean
  readonly onName: (zone: string) => void
  readonly onRemove: () => void
  readonly onFillAgain: (zone: CreatedZone) => void
}

function FileRow({ file, isRunning, onName, onRemove, onFillAgain }: FileRowProps) {
  const { fileName, zone, result } = file
  return (
    <li>
      <span className="clip" title={fileName}>
        {fileName}
      </span>
      {result === undefined ? (
        <input
          className="in"
          aria-label={text.zoneOf(fileName)}
          spellCheck={false}
          autoComplete="off"
          disabled={isRunning}
          value={zone}
          onChange={({ target }) => onName(target.value)}
        />
      ) : (
        <span className="mono clip">{zone}</span>
      )}
      <div className="about">
        {result === undefined ? (
          <Preview file={file} />
        ) : (
          <Result result={result} isRunning={isRunning} onFillAgain={onFillAgain} />
        )}
      </div>
      {result === undefined && (
        <button
          type="button"
          className="link"
          aria-label={text.removeOf(fileName)}
          disabled={isRunning}
          onClick={onRemove}
        >
          {text.remove}
        </button>
      )}
    </li>
  )
}

function Preview({ file: { zone, preview, unread, problem, isTaken } }: { readonly file: ChosenFile }) {
  if (unread !== undefined) return <Unread problem={unread} />
  if (zone.trim() === '') return <StatusWord tone="warning">{text.nameMissing}</StatusWord>
  if (originOf(zone) === undefined) return <StatusWord tone="wrong">{text.nameWrong}</StatusWord>
  if (problem !== undefined) return <Unread problem={problem} />
  if (preview === undefined) return <StatusWord tone="expected">{text.reading}</StatusWord>
  if (isTaken === true)
    return (
      <>
        <StatusWord tone="wrong">{text.taken}</StatusWord>{' '}
        <Link
          className="link"
          to="/zones/$zone/records"
          params={{ zone: originOf(zone) ?? zone }}
          target="_blank"
        >
          {text.open}
        </Link>
      </>
    )
  if (preview.wrongCount > 0)
    return (
      <>
        <StatusWord tone="wrong">{text.wrongLines(preview.wrongCount)}</StatusWord>
        <WrongList wrong={preview.wrong} count={preview.wrongCount} />
      </>
    )
  return (
    <>
      <StatusWord tone="normal">{text.records(preview.records)}</StatusWord>
      <span className="dim says">
        {preview.counts.map(([type, count]) => text.ofType(count, type)).join(', ')}
      </span>
    </>
  )
}

const Unread = ({ problem }: { readonly problem: string }) => (
  <>
    <StatusWord tone="wrong">{text.unread}</StatusWord> <span>{problem}</span>
  </>
)

interface ResultProps {
  readonly result: ImportResult
  readonly isRunning: boolean
  readonly onFillAgain: (zone: CreatedZone) => void
}

function Result({ result, isRunning, onFillAgain }: ResultProps) {
  switch (result.kind) {
    case 'waiting':
      return <StatusWord tone="off">{text.waiting}</StatusWord>
    case 'running':
      return <StatusWord tone="expected">{text.running}</StatusWord>
    case 'created':
      return (
        <>
          <StatusWord tone="normal">{text.created(result.records)}</StatusWord>{' '}
          <Link className="link" to="/zones/$zone/records" params={{ zone: result.zone }}>
            {text.open}
          </Link>
        </>
      )
    case 'refused':
      return (
        <>
          <StatusWord tone="wrong">{text.refused}</StatusWord> <span>{result.problem}</span>
        </>
      )
    case 'unanswered': {
      const { zone } = result
      return (
        <>
          <StatusWord tone="warning">{text.unanswered}</StatusWord>{' '}
          <Link className="link" to="/zones/$zone/records" params={{ zone: zone.name }}>
            {text.open}
          </Link>{' '}
          <button type="button" className="link" disabled={isRunning} onClick={() => onFillAgain(zone)}>
            {strings.states.retry}
          </button>
        </>
      )
    }
    case 'empty':
      return (
        <>
          <StatusWord tone="wrong">{text.empty}</StatusWord>{' '}
          <Link className="link" to="/zones/$zone/records/text" params={{ zone: result.zone }}>
            {text.openText}
          </Link>
          {result.wrong.length === 0 ? (
            <p>{result.problem}</p>
          ) : (
            <WrongList wrong={result.wrong} count={result.wrong.length} />
          )}
        </>
      )
  }
}

function WrongList({ wrong, count }: { readonly wrong: readonly WrongLine[]; readonly count: number }) {
  return (
    <ul className="wrong-lines">
      {wrong.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          <b>{text.line(line)}</b> {message}
        </li>
      ))}
      {count > wrong.length && <li className="dim">{text.moreLines(count - wrong.length)}</li>}
    </ul>
  )
}
