// Asks who one is, where the server needs a sign-in within the last five minutes; then does what was wanted.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { confirmWithPasskey, confirmWithPassword, ownSignIn, passkeyList } from '../api/account.ts'
import { ApiError } from '../api/call.ts'
import { strings } from '../strings.ts'
import { accountStrings } from '../strings/account.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { sentenceOf } from './states.tsx'

const CONFIRM_CODE = 19897
const words = accountStrings.confirm

interface Waiting {
  readonly confirmed: () => void
  readonly cancelled: () => void
}

export interface Confirmation {
  /** Runs `work`; if the server wants to know who it is, asks, and runs it again. */
  readonly confirmed: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** To be rendered by the screen. */
  readonly dialog: ReactNode
}

export function useConfirmation(): Confirmation {
  const [waiting, setWaiting] = useState<Waiting>()
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      setWaiting({
        confirmed: resolve,
        cancelled: () =>
          reject(new ApiError(403, [{ code: CONFIRM_CODE, message: words.cancelled }], undefined)),
      })
    })
  return {
    async confirmed(work) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ApiError) || error.issues[0]?.code !== CONFIRM_CODE) throw error
        await ask()
        return work()
      }
    },
    dialog: waiting !== undefined && (
      <ConfirmDialog
        onDone={() => {
          waiting.confirmed()
          setWaiting(undefined)
        }}
        onCancel={() => {
          waiting.cancelled()
          setWaiting(undefined)
        }}
      />
    ),
  }
}

interface DialogProps {
  readonly onDone: () => void
  readonly onCancel: () => void
}

function ConfirmDialog({ onDone, onCancel }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isDone = useRef(false)
  const { data: user } = useQuery(ownSignIn)
  const { data: passkeys } = useQuery(passkeyList)
  const [problem, setProblem] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])
  // Closing returns the focus to where it was.
  const attempt = async (proof: () => Promise<unknown>): Promise<void> => {
    try {
      await proof()
      isDone.current = true
      dialog.current?.close()
    } catch (error) {
      setProblem(error instanceof ApiError ? sentenceOf(error) : words.cancelled)
    }
  }
  const hasPassword = user !== undefined && user.password_changed_on !== null
  const hasPasskey = passkeys?.some(({ site }) => site === location.hostname) === true
  return (
    <dialog
      ref={dialog}
      className="float key-list"
      aria-labelledby="confirm-title"
      onClose={() => (isDone.current ? onDone() : onCancel())}
    >
      <h2 id="confirm-title">{words.title}</h2>
      <div className="stack">
        <p className="soft">{words.why}</p>
        {problem !== undefined && (
          <p className="bad row nowrap" role="alert">
            <Icon name="wrong" />
            <span>{problem}</span>
          </p>
        )}
        {hasPassword && (
          <PasswordProof
            needsCode={user.totp}
            onProof={(proof) => void attempt(() => confirmWithPassword(proof))}
          />
        )}
        {hasPasskey && (
          <button
            type="button"
            className={hasPassword ? 'btn' : 'btn primary'}
            onClick={() => void attempt(confirmWithPasskey)}
          >
            {words.passkey}
          </button>
        )}
        {user !== undefined && passkeys !== undefined && !hasPassword && !hasPasskey && (
          <p>
            {words.none} <code>{words.command(user.email)}</code>.
          </p>
        )}
      </div>
      <form method="dialog">
        <button type="submit" className="btn">
          {strings.cancel} <kbd>Esc</kbd>
        </button>
      </form>
    </dialog>
  )
}

interface PasswordProofProps {
  readonly needsCode: boolean
  readonly onProof: (proof: { readonly password: string; readonly code?: string }) => void
}

function PasswordProof({ needsCode, onProof }: PasswordProofProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const password = String(form.get('password'))
        onProof(needsCode ? { password, code: String(form.get('code')).trim() } : { password })
      }}
    >
      <Field label={words.password}>
        {(ids) => (
          <input
            {...ids}
            className="in"
            name="password"
            type="password"
            autoComplete="current-password"
            autoFocus
            required
          />
        )}
      </Field>
      {needsCode && (
        <Field label={words.code}>
          {(ids) => <input {...ids} className="in" name="code" autoComplete="one-time-code" required />}
        </Field>
      )}
      <button type="submit" className="btn primary">
        {words.submit}
      </button>
    </form>
  )
}
