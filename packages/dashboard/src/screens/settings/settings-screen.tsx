// The settings that the server runs with, and where each comes from. They are changed with a restart.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { ApiError } from '../../api/call.ts'
import { serverSettings, type WireServerSetting } from '../../api/server-health.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { Icon } from '../../parts/icon.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { settingStrings as text } from '../../strings/server-health.ts'
import { matchingSettings } from './matching-settings.ts'

export function SettingsScreen() {
  const search = useSearch({ from: '/frame/settings' })
  const { data: settings, error, refetch, isPending } = useQuery(serverSettings)
  const isForbidden = error instanceof ApiError && error.status === 403
  const found = settings && matchingSettings(settings, search)
  return (
    <>
      <title>{`${text.title} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      {isForbidden && <p className="pad soft">{text.forbidden}</p>}
      {error !== null && !isForbidden && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {settings !== undefined && found !== undefined && (
        <>
          <SettingFilter found={found.length} total={settings.length} />
          {found.length === 0 && <NoMatch text={text.none} clear={text.clear} />}
          {found.length > 0 && <SettingTable settings={found} />}
          <section className="pad stack after">
            <p className="soft">{text.change}</p>
            <pre tabIndex={0} className="code one">
              {text.changeCommand}
            </pre>
          </section>
        </>
      )}
    </>
  )
}

function SettingFilter({ found, total }: { readonly found: number; readonly total: number }) {
  const search = useSearch({ from: '/frame/settings' })
  const navigate = useNavigate({ from: '/settings' })
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  const set = (next: { q?: string | undefined; set?: string | undefined }): void =>
    void navigate({ search: (last) => ({ ...last, ...next }), replace: true, resetScroll: false })
  return (
    <div className="filter">
      <label className="query">
        <Icon name="search" />
        <span className="vh">{text.search}</span>
        <input
          ref={input}
          type="text"
          spellCheck={false}
          autoComplete="off"
          placeholder={text.search}
          value={search.q ?? ''} // no filter
          onChange={({ target }) => set({ q: target.value === '' ? undefined : target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <kbd>/</kbd>
      </label>
      <span className="hits wide">{text.hits(found, total)}</span>
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          checked={search.set === 'yes'}
          onChange={({ target }) => set({ set: target.checked ? 'yes' : undefined })}
        />
        <span>{text.changedOnly}</span>
      </label>
    </div>
  )
}

function SettingTable({ settings }: { readonly settings: readonly WireServerSetting[] }) {
  const { columns } = text
  return (
    <table className="reg settings">
      <thead>
        <tr>
          <MarkHead />
          <th className="w264">{columns.name}</th>
          <th className="w264">{columns.value}</th>
          <th className="w200 o1">{columns.origin}</th>
          <th>{columns.description}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map((setting) => (
          <SettingRow key={setting.name} setting={setting} />
        ))}
      </tbody>
    </table>
  )
}

function SettingRow({ setting }: { readonly setting: WireServerSetting }) {
  const { name, value, origin, description, environment, is_set: isSet, is_secret: isSecret } = setting
  return (
    <tr>
      <td className="m" />
      <td className="k1 mono" title={text.variable(environment)}>
        <b>{name}</b>
      </td>
      <td className={isSet && !isSecret ? 'k2 mono' : 'k2 dim'} title={value ?? undefined}>
        {isSet ? (isSecret ? text.secret : value) : text.notSet}
      </td>
      <td className={origin === 'default' ? 'o1 dim' : 'o1'} title={origin}>
        {origin === 'default' ? text.default : origin}
      </td>
      <td className="k3 soft" title={description}>
        {description}
      </td>
    </tr>
  )
}
