// Codes of an authenticator app, and recovery codes, which are shown once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, type FormEvent } from 'react'
import { encode } from 'uqr'
import {
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
  type WireSignInUser,
} from '../../api/account.ts'
import { useToast } from '../../app/toasts.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { Confirmation } from '../../parts/confirmation.tsx'
import { Field } from '../../parts/field.tsx'
import { Section } from '../../parts/section.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { accountStrings } from '../../strings/account.ts'

const words = accountStrings.totp

interface CodesSectionProps {
  readonly user: WireSignInUser
  readonly confirmation: Confirmation
}

export function CodesSection({ user, confirmation: { confirmed } }: CodesSectionProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const refresh = () => queries.invalidateQueries()
  const key = useMutation({ mutationFn: () => confirmed(startTotp) })
  const turningOn = useMutation({
    mutationFn: (code: string) => confirmed(() => confirmTotp(code)),
    onSuccess: async () => {
      key.reset()
      await refresh()
      toast({ text: words.done })
    },
  })
  const renewal = useMutation({ mutationFn: () => confirmed(renewRecoveryCodes), onSuccess: refresh })
  const removal = useMutation({
    mutationFn: () => confirmed(removeTotp),
    onSuccess: async () => {
      await refresh()
      toast({ text: words.removed })
    },
  })
  const codes = turningOn.data ?? renewal.data
  const error = key.error ?? renewal.error ?? removal.error
  const forget = (): void => {
    turningOn.reset()
    renewal.reset()
  }
  return (
    <Section title={words.title} note={user.totp ? words.on : words.off}>
      <div className="stack form">
        {error !== null && (
          <p className="bad" role="alert">
            {sentenceOf(error)}
          </p>
        )}
        {codes !== undefined && <RecoveryCodes codes={codes} onDone={forget} />}
        {user.totp && codes === undefined && (
          <>
            <p className={user.recovery_codes_left < 3 ? 'warn' : 'soft'}>
              {words.left(user.recovery_codes_left)}
            </p>
            <div className="row">
              <button type="button" className="btn" onClick={() => renewal.mutate()}>
                {words.renew}
              </button>
              <button type="button" className="btn danger" onClick={() => removal.mutate()}>
                {words.remove}
              </button>
            </div>
          </>
        )}
        {!user.totp && user.password_changed_on === null && <p className="soft">{words.needsPassword}</p>}
        {!user.totp && user.password_changed_on !== null && key.data === undefined && (
          <>
            <p className="soft">{words.offDetail}</p>
            <div className="row">
              <button type="button" className="btn" onClick={() => key.mutate()}>
                {words.start}
              </button>
            </div>
          </>
        )}
        {!user.totp && key.data !== undefined && (
          <NewKey
            uri={key.data.uri}
            secret={key.data.secret}
            error={turningOn.error}
            onCode={(code) => turningOn.mutate(code)}
            onCancel={() => key.reset()}
          />
        )}
      </div>
    </Section>
  )
}

interface NewKeyProps {
  readonly uri: string
  readonly secret: string
  readonly error: Error | null
  readonly onCode: (code: string) => void
  readonly onCancel: () => void
}

function NewKey({ uri, secret, error, onCode, onCancel }: NewKeyProps) {
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onCode(String(new FormData(event.currentTarget).get('code')).replaceAll(/\s/g, ''))
  }
  return (
    <form className="totp" onSubmit={send}>
      <QrCode text={uri} />
      <div className="stack">
        <p>{words.scan}</p>
        <div className="f">
          <span className="lab">{words.key}</span>
          <div className="row nowrap">
            <code className="secret">{secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</code>
            <CopyButton text={secret} />
          </div>
        </div>
        <Field
          className="short"
          label={words.code}
          hint={words.codeHint}
          error={error === null ? undefined : sentenceOf(error)}
        >
          {(ids) => (
            <input
              {...ids}
              className="in"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              required
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className="btn primary">
            {words.confirm}
          </button>
          <button type="button" className="btn" onClick={onCancel}>
            {strings.cancel}
          </button>
        </div>
      </div>
    </form>
  )
}

/** Dark on light in both themes: not all apps read the reverse. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data
    .flatMap((line, y) => line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={words.picture}>
      <path d={path} />
    </svg>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div className="once" ref={box} tabIndex={-1}>
      <p>
        <b>{words.codesTitle}</b> {words.codesDetail}
      </p>
      <code className="recovery">{codes.join('\n')}</code>
      <div className="row">
        <CopyButton text={codes.join('\n')} />
        <button type="button" className="btn" onClick={onDone}>
          {words.codesDone}
        </button>
      </div>
    </div>
  )
}
