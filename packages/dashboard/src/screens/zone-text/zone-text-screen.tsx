// All records of a zone as text: edit or import, see the difference, then apply it as one change.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLoaderData } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useToast } from '../../app/toasts.tsx'
import { ApiError } from '../../api/call.ts'
import { undoRequest } from '../../api/records.ts'
import { exportPath, replaceZoneText, zoneText, type ZoneText } from '../../api/zone-file.ts'
import { zoneKeys, type WireZone } from '../../api/zones.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Failure, Loading, sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { zoneTextStrings as text } from '../../strings/zone-text.ts'
import { lineDiff } from './line-diff.ts'
import { Plan, type PlannedText } from './plan.tsx'
import { TextEditor, type EditorHandle } from './text-editor.tsx'
import { WrongLines, wrongLineNumbers } from './wrong-lines.tsx'

export function ZoneTextScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const stored = useQuery(zoneText(zone.id))
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro}>
        <Link className="btn" to="/zones/$zone/records" params={{ zone: zone.name }}>
          {text.forms}
        </Link>
        <a className="btn" href={exportPath(zone.id)} download={`${zone.name}.zone`}>
          {text.export}
        </a>
      </PageHead>
      {stored.error !== null && <Failure error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.isPending && <Loading />}
      {stored.data !== undefined && (
        <Editing
          key={stored.dataUpdatedAt}
          zone={zone}
          stored={stored.data}
          onReadAgain={() => void stored.refetch()}
        />
      )}
    </>
  )
}

const CHANGED_SINCE = 412

interface EditingProps {
  readonly zone: WireZone
  readonly stored: ZoneText
  readonly onReadAgain: () => void
}

function Editing({ zone, stored, onReadAgain }: EditingProps) {
  const editor = useRef<EditorHandle>(undefined)
  const [isEdited, setEdited] = useState(false)
  const [note, setNote] = useState<string>()
  const review = useReview(zone, stored, editor)
  const write = useApply(zone, onReadAgain)
  const takeFile = async (file: File): Promise<void> => {
    const added = await file.text()
    editor.current?.append(added)
    setNote(text.imported(added.trimEnd().split('\n').length, file.name))
  }
  const failure = review.error ?? write.error
  const isConflict = failure instanceof ApiError && failure.status === CHANGED_SINCE
  return (
    <>
      <div className={review.data === undefined ? 'pad' : 'pad gone'}>
        <TextEditor
          label={text.editor(zone.name)}
          start={stored.text}
          handle={editor}
          onEdited={() => setEdited(true)}
        />
      </div>
      {review.data !== undefined && (
        <Plan
          plan={review.data}
          isBusy={write.isPending}
          onApply={() => write.mutate({ text: review.data.text, etag: stored.etag, isRehearsal: false })}
          onBack={() => {
            write.reset()
            review.reset()
          }}
        />
      )}
      <div className="pad stack">
        {note !== undefined && <p role="status">{note}</p>}
        {isConflict && (
          <p role="alert">
            <b>{text.changedSince}</b>{' '}
            <button type="button" className="link" onClick={onReadAgain}>
              {text.readAgain}
            </button>
          </p>
        )}
        {failure instanceof ApiError && !isConflict && (
          <WrongLines issues={failure.issues} onGo={(line) => editor.current?.goTo(line)} />
        )}
        {failure !== null && !(failure instanceof ApiError) && <Problem error={failure} />}
        {review.data === undefined && (
          <EditorButtons
            isEdited={isEdited}
            isBusy={review.isPending}
            lines={stored.text.split('\n').length}
            onReview={() => review.mutate()}
            onReset={onReadAgain}
            onFile={(file) => void takeFile(file)}
          />
        )}
      </div>
    </>
  )
}

/** The server's plan for the text, and the lines that differ. */
function useReview(zone: WireZone, stored: ZoneText, editor: { readonly current: EditorHandle | undefined }) {
  return useMutation({
    mutationFn: async (): Promise<PlannedText> => {
      const edited = editor.current?.text()
      if (edited === undefined) throw new Error('the editor is closed')
      const { result } = await replaceZoneText(zone.id, {
        text: edited,
        etag: stored.etag,
        isRehearsal: true,
      })
      return { text: edited, counts: result, lines: lineDiff(stored.text, edited) }
    },
    onMutate: () => editor.current?.mark([]),
    onError: (error) => {
      if (error instanceof ApiError) editor.current?.mark(wrongLineNumbers(error.issues))
    },
  })
}

function useApply(zone: WireZone, onReadAgain: () => void) {
  const queries = useQueryClient()
  const toast = useToast()
  const refresh = async (): Promise<void> => {
    onReadAgain()
    await queries.invalidateQueries({ queryKey: zoneKeys.of(zone.id), refetchType: 'none' })
  }
  const undo = async (requestId: string): Promise<void> => {
    try {
      await undoRequest(zone.id, requestId)
      toast({ text: strings.records.undone })
    } catch (error) {
      toast({ text: strings.records.notUndone(sentenceOf(error)), isError: true })
    }
    await refresh()
  }
  return useMutation({
    mutationFn: (replacement: Parameters<typeof replaceZoneText>[1]) => replaceZoneText(zone.id, replacement),
    onSuccess: async ({ result, requestId }) => {
      toast({
        text: text.applied(result),
        ...(requestId === undefined ? {} : { undo: () => void undo(requestId) }),
      })
      await refresh()
    },
  })
}

interface EditorButtonsProps {
  readonly isEdited: boolean
  readonly isBusy: boolean
  readonly lines: number
  readonly onReview: () => void
  readonly onReset: () => void
  readonly onFile: (file: File) => void
}

function EditorButtons({ isEdited, isBusy, lines, onReview, onReset, onFile }: EditorButtonsProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="row">
      <button type="button" className="btn primary" disabled={!isEdited || isBusy} onClick={onReview}>
        {text.review}
      </button>
      <button type="button" className="btn" disabled={isBusy} onClick={() => input.current?.click()}>
        {text.importFile}
      </button>
      <button type="button" className="btn" disabled={!isEdited || isBusy} onClick={onReset}>
        {text.reset}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={text.importFile}
        accept=".zone,.txt,.db,text/plain,text/dns"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) onFile(file)
          target.value = ''
        }}
      />
      {isBusy && (
        <span role="status" className="row nowrap">
          <progress aria-label={text.review} /> {text.checking(lines)}
        </span>
      )}
    </div>
  )
}
