// One token: what it may do, in words; roll, disable, revoke.
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  revokeToken,
  rollToken,
  switchToken,
  tokenList,
  zoneWithId,
  type WireToken,
} from '../../api/tokens.ts'
import { useToast } from '../../app/toasts.tsx'
import type { Confirmation } from '../../parts/confirmation.tsx'
import { Section } from '../../parts/section.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { DateTime } from '../../parts/time.tsx'
import { tokenStrings as words } from '../../strings/tokens.ts'
import { limitText, placesOf, policyLines, type PolicyLine } from './token-summary.ts'
import { TryToken } from './try-token.tsx'

const MAX_ASKED = 20

interface TokenDetailProps {
  readonly token: WireToken
  readonly confirmation: Confirmation
}

export function TokenDetail({ token, confirmation: { confirmed } }: TokenDetailProps) {
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/tokens' })
  const toast = useToast()
  const refresh = () => queries.invalidateQueries({ queryKey: tokenList.queryKey })
  const fail = (error: Error): void => toast({ text: sentenceOf(error), isError: true })
  const close = () => void navigate({ search: (last) => ({ ...last, token: undefined }) })
  const rolling = useMutation({
    mutationFn: () => confirmed(() => rollToken(token)),
    onSuccess: refresh,
    onError: fail,
  })
  const isOn = token.status !== 'disabled'
  const switching = useMutation({
    mutationFn: () => confirmed(() => switchToken(token, !isOn)),
    onSuccess: async () => {
      await refresh()
      toast({ text: words.detail.saved(token.name, !isOn) })
    },
    onError: fail,
  })
  const revocation = useMutation({
    mutationFn: () => confirmed(() => revokeToken(token)),
    onSuccess: async () => {
      close()
      await refresh()
      toast({ text: words.detail.revoked(token.name) })
    },
    onError: fail,
  })
  return (
    <Section
      title={token.name}
      note={
        <>
          {words.detail.issued} <DateTime at={token.issued_on} />
        </>
      }
      kind="hi"
      onEscape={close}
    >
      <div className="stack">
        {rolling.data !== undefined && (
          <ShownOnce
            value={rolling.data}
            headline={words.once}
            detail={words.onceDetail}
            doneLabel={words.done}
            onDone={() => rolling.reset()}
          >
            <TryToken />
          </ShownOnce>
        )}
        <Summary token={token} />
        <div className="row">
          <button
            type="button"
            className="btn"
            title={words.detail.rollHint}
            onClick={() => rolling.mutate()}
          >
            {words.detail.roll}
          </button>
          {token.status !== 'expired' && (
            <button type="button" className="btn" onClick={() => switching.mutate()}>
              {isOn ? words.detail.disable : words.detail.enable}
            </button>
          )}
          <button type="button" className="btn danger" onClick={() => revocation.mutate()}>
            {words.detail.revoke}
          </button>
          <button type="button" className="btn bare" onClick={close}>
            {words.detail.close} <kbd>Esc</kbd>
          </button>
        </div>
      </div>
    </Section>
  )
}

function Summary({ token }: { readonly token: WireToken }) {
  const ids = placesOf(token.policies).zoneIds.slice(0, MAX_ASKED)
  const zones = useQueries({ queries: ids.map(zoneWithId) })
  const names = new Map(zones.map(({ data }, index) => [ids[index], data?.name]))
  return (
    <>
      <PolicyList lines={policyLines(token.policies, (id) => names.get(id) ?? id)} />
      <p className="soft">{limitText(token)}</p>
    </>
  )
}

export function PolicyList({ lines }: { readonly lines: readonly PolicyLine[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={`${line.effect} ${line.permissions} ${line.places}`}>
          <b className={line.effect === 'deny' ? 'bad' : undefined}>
            {line.effect === 'deny' ? words.mayNot : words.may}
          </b>{' '}
          {line.permissions} <span className="soft">{words.on(line.places)}</span>
        </li>
      ))}
    </ul>
  )
}
