// Who is signed in; theme, keys, sign out.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { currentSession, signOut } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { strings } from '../strings.ts'
import { hasSingleKeys, switchSingleKeys } from './shortcuts.ts'
import { readTheme, setTheme, THEMES, type Theme } from './theme.ts'

export function UserMenu() {
  const { data: session } = useQuery(currentSession)
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div className="who">
      <button
        type="button"
        className="btn bare"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-label={strings.user.of(String(session?.user.email))}
      >
        <span className="clip">{session?.user.email}</span>
        <span className="unfold">
          <Icon name="down" />
        </span>
        <span className="person">
          <Icon name="person" />
        </span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="float user-menu"
        role="dialog"
        aria-label={strings.user.label}
      >
        <p className="small soft clip">{session?.user.email}</p>
        <ThemeChoice />
        <KeysChoice />
        <Link className="item" to="/account" onClick={() => menu.current?.hidePopover()}>
          {strings.user.label}
        </Link>
        <a className="item" href="/docs">
          {strings.user.docs}
        </a>
        <SignOut onDone={() => menu.current?.hidePopover()} />
      </div>
    </div>
  )
}

function ThemeChoice() {
  const [theme, choose] = useState<Theme>(readTheme)
  return (
    <fieldset className="themes">
      <legend className="small dim">{strings.user.theme}</legend>
      {THEMES.map((option) => (
        <label key={option} className="opt">
          <input
            type="radio"
            className="ck"
            name="theme"
            checked={theme === option}
            onChange={() => {
              setTheme(option)
              choose(option)
            }}
          />
          {strings.user.themes[option]}
        </label>
      ))}
    </fieldset>
  )
}

function KeysChoice() {
  const [isOn, setOn] = useState(hasSingleKeys)
  return (
    <label className="opt item">
      <input
        type="checkbox"
        className="ck"
        checked={isOn}
        onChange={() => {
          switchSingleKeys(!isOn)
          setOn(!isOn)
        }}
      />
      {strings.user.keys}
    </label>
  )
}

function SignOut({ onDone }: { readonly onDone: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    onDone()
    await signOut()
    queries.clear()
    await navigate({ to: '/sign-in', search: {} })
  }
  return (
    <button type="button" className="item" onClick={() => void leave()}>
      {strings.user.signOut}
    </button>
  )
}
