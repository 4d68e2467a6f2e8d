// Signing in: by the one-time link of the terminal, or by e-mail and password.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { signInWithPasskey, startProvider } from '../../api/account.ts'
import { ApiError } from '../../api/call.ts'
import { currentSession, signIn, signInOffer, type Proof } from '../../api/session.ts'
import { Field } from '../../parts/field.tsx'
import { Icon, Logo } from '../../parts/icon.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'

/** Every 32 pixels, like a page of a register. */
const RULES = Array.from({ length: 60 }, (_, line) => `M0 ${20.5 + line * 32}h3000`).join('')

export function SignInScreen() {
  const { data: offer } = useQuery(signInOffer)
  const attempt = useSignIn()
  useLinkOfAddress(attempt.mutate)
  useReturn(attempt.mutate)
  const provider = offer?.oidc ?? undefined
  const hasProvider = provider !== undefined
  const hasPassword = offer?.password === true && offer.has_account
  return (
    <div className="door">
      <title>{`${strings.signIn.submit} · ${strings.product}`}</title>
      <svg className="ruled" aria-hidden="true">
        <path d={RULES} />
      </svg>
      <div className="marginline" />
      <main>
        <span className="logo">
          <Logo />
          <span>{strings.product}</span>
        </span>
        <div className="blk">
          <h1>{strings.signIn.title(location.host)}</h1>
          {attempt.error !== null && <Refusal>{refusalOf(attempt.error)}</Refusal>}
          {offer?.has_account === false && <p className="soft">{strings.signIn.first}</p>}
          {provider !== undefined && (
            <>
              <ProviderButton name={provider.name} />
              <div className="or">{strings.signIn.or}</div>
            </>
          )}
          {hasPassword && (
            <>
              {offer.passkey && (
                <>
                  <button
                    type="button"
                    className="btn primary"
                    disabled={attempt.isPending}
                    onClick={() => attempt.mutate('passkey')}
                  >
                    {strings.signIn.passkey}
                  </button>
                  <div className="or">{strings.signIn.or}</div>
                </>
              )}
              <PasswordForm
                attempt={attempt.mutate}
                isBusy={attempt.isPending}
                isFirst={!offer.passkey && !hasProvider}
              />
              <div className="or">{strings.signIn.or}</div>
            </>
          )}
          <LinkForm
            attempt={attempt.mutate}
            isBusy={attempt.isPending}
            isFirst={!hasProvider && !hasPassword}
          />
          <p className="small dim">
            {strings.signIn.lost} <code>{strings.signIn.command}</code>.
          </p>
        </div>
      </main>
      <footer>
        <span>{location.host}</span>
        <span>{strings.product}</span>
      </footer>
    </div>
  )
}

/** A device says no more than that it gave no passkey. */
const refusalOf = (error: Error): string =>
  error instanceof ApiError ? sentenceOf(error) : strings.signIn.passkeyStopped

function Refusal({ children }: { readonly children: ReactNode }) {
  return (
    <p className="bad row nowrap" role="alert">
      <Icon name="wrong" />
      <span>{children}</span>
    </p>
  )
}

function useSignIn() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/sign-in' })
  return useMutation({
    mutationFn: (proof: Proof | 'passkey') => (proof === 'passkey' ? signInWithPasskey() : signIn(proof)),
    onSuccess: async (session) => {
      queries.clear()
      queries.setQueryData(currentSession.queryKey, session)
      await navigate({ href: isOwnPath(to) ? to : '/zones', replace: true })
    },
  })
}

/** Only a path of this origin: `//host` and `/\host` are other hosts. */
const isOwnPath = (to: string | undefined): to is string => to !== undefined && /^\/(?![/\\])/.test(to)

/** The printed link has its token behind `#`, which browsers do not send. It is used at once, and gone from the address. */
function useLinkOfAddress(attempt: (proof: Proof) => void): void {
  const isUsed = useRef(false)
  useEffect(() => {
    const token = tokenIn(location.hash)
    if (token === undefined || isUsed.current) return
    isUsed.current = true
    history.replaceState(history.state, '', location.pathname + location.search)
    attempt({ link: token })
  }, [attempt])
}

const FLOW = 'zonereeve.flow'

/** What this page keeps while the browser is at the identity provider: in this tab only. */
interface Flow {
  readonly flow: string
  readonly to: string | undefined
}

/** Leaves for the identity provider. */
function ProviderButton({ name }: { readonly name: string }) {
  const { to } = useSearch({ from: '/sign-in' })
  const leaving = useMutation({
    mutationFn: startProvider,
    onSuccess: ({ url, flow }) => {
      sessionStorage.setItem(FLOW, JSON.stringify({ flow, to } satisfies Flow))
      location.assign(url)
    },
  })
  return (
    <>
      {leaving.error !== null && <Refusal>{sentenceOf(leaving.error)}</Refusal>}
      <button
        type="button"
        className="btn primary"
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        {strings.signIn.provider(name)}
      </button>
    </>
  )
}

/** The browser is back from the identity provider. Only the tab that left has the flow. */
function useReturn(attempt: (proof: Proof) => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    const kept = sessionStorage.getItem(FLOW)
    const response = location.search
    const returned = new URLSearchParams(response)
    if (kept === null || !(returned.has('code') || returned.has('error'))) return
    sessionStorage.removeItem(FLOW)
    const { flow, to } = JSON.parse(kept) as Flow // as it was kept
    void navigate({ to: '/sign-in', search: { to }, replace: true }).then(() =>
      attempt({ oidc: { flow, response } }),
    )
  }, [attempt, navigate])
}

/** The token of a link, or of its part behind `#`. */
const tokenIn = (link: string): string | undefined => /#link=([\w-]+)$/.exec(link)?.[1]

interface FormProps {
  readonly attempt: (proof: Proof) => void
  readonly isBusy: boolean
  /** The first way of the page: its button is the primary one, and the only one. */
  readonly isFirst: boolean
}

function LinkForm({ attempt, isBusy, isFirst }: FormProps) {
  const send = (form: FormData): void => {
    const text = String(form.get('link')).trim()
    if (text !== '') attempt({ link: tokenIn(text) ?? text })
  }
  return (
    <form action={send} className="stack">
      <Field label={strings.signIn.link} hint={strings.signIn.linkHint}>
        {(ids) => (
          <input {...ids} className="in" name="link" autoComplete="off" spellCheck={false} required />
        )}
      </Field>
      <button type="submit" className={isFirst ? 'btn primary' : 'btn'} disabled={isBusy}>
        {strings.signIn.useLink}
      </button>
    </form>
  )
}

function PasswordForm({ attempt, isBusy, isFirst }: FormProps) {
  const send = (form: FormData): void => {
    const code = String(form.get('code')).trim()
    const proof = { email: String(form.get('email')), password: String(form.get('password')) }
    attempt(code === '' ? proof : { ...proof, code })
  }
  return (
    <form action={send} className="stack">
      <Field label={strings.signIn.email}>
        {(ids) => (
          <input {...ids} className="in" name="email" type="email" autoComplete="username" required />
        )}
      </Field>
      <Field label={strings.signIn.password}>
        {(ids) => (
          <input
            {...ids}
            className="in"
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <Field label={strings.signIn.code} hint={strings.signIn.codeHint}>
        {(ids) => <input {...ids} className="in" name="code" autoComplete="one-time-code" />}
      </Field>
      <button type="submit" className={isFirst ? 'btn primary' : 'btn'} disabled={isBusy}>
        {strings.signIn.submit}
      </button>
    </form>
  )
}
