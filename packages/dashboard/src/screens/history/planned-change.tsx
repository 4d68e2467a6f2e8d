// Undoing one change, or restoring the state after it: first a preview of what would happen, then the write.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useToast } from '../../app/toasts.tsx'
import { restoreTo, revertChange } from '../../api/history.ts'
import { zoneKeys, type WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { strings } from '../../strings.ts'
import { historyStrings } from '../../strings/history.ts'

const WAYS = {
  undo: {
    call: revertChange,
    label: strings.history.undo,
    apply: strings.history.apply,
    done: strings.history.undone,
  },
  restore: {
    call: restoreTo,
    label: historyStrings.restore,
    apply: historyStrings.restoreNow,
    done: historyStrings.restored,
  },
} as const

type Way = keyof typeof WAYS

interface PlannedChangeProps {
  readonly zone: WireZone
  readonly number: string
  readonly isUndoable: boolean
  readonly isRestorable: boolean
}

export function PlannedChange({ zone, number, isUndoable, isRestorable }: PlannedChangeProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate({ from: '/zones/$zone/history' })
  const opener = useRef<Way>(undefined)
  const preview = useMutation({
    mutationFn: async (way: Way) => ({
      way,
      counts: (await WAYS[way].call(zone.id, number, { isRehearsal: true })).result,
    }),
  })
  const write = useMutation({
    mutationFn: (way: Way) => WAYS[way].call(zone.id, number, { isRehearsal: false }),
    onSuccess: async (_, way) => {
      toast({ text: WAYS[way].done(number) })
      preview.reset()
      await queries.invalidateQueries({ queryKey: zoneKeys.of(zone.id) })
      await navigate({ search: (last) => ({ ...last, change: undefined }) })
    },
  })
  if (preview.data !== undefined) {
    const { way, counts } = preview.data
    const isNothing = counts.restored + counts.changed + counts.removed === 0
    return (
      <div className="acts plan-row">
        <span role="status">
          {isNothing
            ? historyStrings.wouldNothing
            : strings.history.would(counts.restored, counts.changed, counts.removed)}
        </span>
        {!isNothing && (
          <button
            type="button"
            className="btn primary"
            autoFocus
            disabled={write.isPending}
            onClick={() => write.mutate(way)}
          >
            {WAYS[way].apply}
          </button>
        )}
        <button type="button" className="btn" onClick={() => preview.reset()}>
          {strings.cancel}
        </button>
        <Problem error={write.error} />
      </div>
    )
  }
  const button = (way: Way) => (
    <button
      type="button"
      className="btn"
      autoFocus={opener.current === way}
      disabled={preview.isPending}
      onClick={() => {
        opener.current = way
        preview.mutate(way)
      }}
    >
      {WAYS[way].label}
    </button>
  )
  return (
    <div className="acts plan-row">
      {isRestorable && button('restore')}
      {isUndoable && button('undo')}
      <Problem error={preview.error} />
    </div>
  )
}
