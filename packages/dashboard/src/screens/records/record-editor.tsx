// A record in edit, in its row: fields in the order of the columns, errors while one types, the line it was below.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { createRecord, recordWithVersion, replaceRecord, type WireRecord } from '../../api/records.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { EditorFields } from './editor-fields.tsx'
import { draftErrors, draftOf, newDraft, serverErrors, writtenDraft, type Draft } from './record-draft.ts'
import { useZoneWrite } from './record-screen-state.ts'
import { curlFor, zoneLine } from './record-text.ts'
import type { FormErrors } from './record-forms.ts'

interface RecordEditorProps {
  readonly zone: WireZone
  /** The record in edit; undefined for a new one. */
  readonly record: WireRecord | undefined
  /** The record that a new one is a copy of. */
  readonly template: WireRecord | undefined
  readonly onClose: () => void
}

const CHANGED_SINCE = 412

export function RecordEditor({ zone, record, template, onClose }: RecordEditorProps) {
  const [draft, setDraft] = useState<Draft>(() => startOf(record ?? template))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const version = useQuery({
    ...recordWithVersion(zone.id, record?.id ?? 'none'),
    enabled: record !== undefined,
  })
  const write = useZoneWrite(zone.id, { showsErrors: true })
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = record === undefined ? '[data-name]' : '[data-value]'
    first.current?.querySelector<HTMLElement>(field)?.focus({ preventScroll: true })
    // All of the form with its buttons, as far as the bars at the edges leave room.
    first.current?.scrollIntoView({ block: 'nearest' })
  }, [record])
  const errors = draftErrors(draft)
  const refused: FormErrors = write.error instanceof ApiError ? serverErrors(draft.type, write.error) : {}
  const shown = { ...refused, ...onlyTouched(errors, touched) }
  const isWrong = Object.keys(errors).length > 0
  const save = (ifMatch = version.data?.etag): void => {
    setTouched(new Set(['name', 'ttl', ...Object.keys(draft.values)]))
    if (isWrong || write.isPending) return
    const body = writtenDraft(draft, record)
    const run = () =>
      record === undefined ? createRecord(zone.id, body) : replaceRecord(zone.id, record.id, body, ifMatch)
    const done =
      record === undefined
        ? strings.records.added(draft.name, draft.type)
        : strings.records.saved(draft.name, draft.type)
    write.mutate({ run, done }, { onSuccess: onClose })
  }
  const change = (next: Partial<Draft>): void => {
    write.reset()
    setDraft((last) => ({ ...last, ...next }))
  }
  const isConflict = write.error instanceof ApiError && write.error.status === CHANGED_SINCE
  return (
    <div
      ref={first}
      className="editor"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || isSingleLine(event.target))) save()
      }}
    >
      <EditorFields
        draft={draft}
        zone={zone.name}
        errors={shown}
        onChange={change}
        onLeft={(member) => setTouched((last) => new Set([...last, member]))}
      />
      {write.error !== null && !isConflict && (
        <p className="bad row nowrap" role="alert">
          <Icon name="wrong" />
          <span>{strings.records.notSaved(sentenceOf(write.error))}</span>
        </p>
      )}
      {isConflict && record !== undefined && (
        <Conflict
          onKeep={() => void version.refetch().then(({ data }) => save(data?.etag))}
          onTake={() => void version.refetch().then(({ data }) => data && change(draftOf(data.result)))}
        />
      )}
      <Foot
        record={record}
        isWrong={isWrong}
        isBusy={write.isPending}
        curl={() => curlOf(zone, record, draft)}
        onClose={onClose}
        onSave={() => save()}
      />
    </div>
  )
}

interface FootProps {
  readonly record: WireRecord | undefined
  readonly isWrong: boolean
  readonly isBusy: boolean
  readonly curl: () => string
  readonly onClose: () => void
  readonly onSave: () => void
}

function Foot({ record, isWrong, isBusy, curl, onClose, onSave }: FootProps) {
  return (
    <div className="foot">
      <div className="answer">
        {record !== undefined && (
          <>
            <span>{strings.records.was}</span>
            {zoneLine(record)}
          </>
        )}
      </div>
      <button
        type="button"
        className="btn bare"
        disabled={isWrong}
        onClick={() => void navigator.clipboard.writeText(curl())}
      >
        {strings.records.copyCurl}
      </button>
      <button type="button" className="btn" onClick={onClose}>
        {strings.cancel} <kbd>Esc</kbd>
      </button>
      <button type="button" className="btn primary" disabled={isWrong || isBusy} onClick={onSave}>
        {record === undefined ? strings.records.add : strings.records.save}
      </button>
    </div>
  )
}

const startOf = (record: WireRecord | undefined): Draft =>
  record === undefined ? newDraft() : draftOf(record)

const onlyTouched = (errors: FormErrors, touched: ReadonlySet<string>): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter(([member]) => touched.has(member)))

/** Enter saves from one line; in a text area it is a line break. */
const isSingleLine = (target: EventTarget): boolean => target instanceof HTMLInputElement

function curlOf(zone: WireZone, record: WireRecord | undefined, draft: Draft): string {
  const path = `/zones/${zone.id}/dns_records`
  const body = writtenDraft(draft, record)
  return record === undefined
    ? curlFor(location.origin, 'POST', path, body)
    : curlFor(location.origin, 'PUT', `${path}/${record.id}`, body)
}

function Conflict({ onKeep, onTake }: { readonly onKeep: () => void; readonly onTake: () => void }) {
  return (
    <div className="row" role="alert">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <b>{strings.records.conflict}</b>
      <button type="button" className="btn" onClick={onKeep}>
        {strings.records.keepMine}
      </button>
      <button type="button" className="btn" onClick={onTake}>
        {strings.records.takeTheirs}
      </button>
    </div>
  )
}
