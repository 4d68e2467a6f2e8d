// Roles of a user in a form: on everything, and on single zones.
import { Field } from '../../parts/field.tsx'
import type { WireManagedUser } from '../../api/users.ts'
import { userStrings as words } from '../../strings/users.ts'

type ZoneRole = WireManagedUser['zone_roles'][number]['role']

export interface Roles {
  readonly role: WireManagedUser['role']
  readonly zones: readonly { readonly key: number; readonly zone: string; readonly role: ZoneRole }[]
}

export const emptyRoles = (role: Roles['role']): Roles => ({ role, zones: [] })

const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
const ZONE_ROLES = ['admin', 'editor', 'viewer'] as const

interface RoleFieldsProps {
  readonly roles: Roles
  readonly onRoles: (roles: Roles) => void
}

export function RoleFields({ roles, onRoles }: RoleFieldsProps) {
  const { role, zones } = roles
  const change = (key: number, changes: Partial<Roles['zones'][number]>): void =>
    onRoles({ role, zones: zones.map((held) => (held.key === key ? { ...held, ...changes } : held)) })
  return (
    <>
      <Field className="half" label={words.form.role} hint={words.roleHints[role ?? 'none']}>
        {(ids) => (
          <select
            {...ids}
            className="sel"
            value={role ?? 'none'}
            onChange={({ target }) =>
              onRoles({ role: ROLES.find((each) => each === target.value) ?? null, zones })
            }
          >
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {words.roles[each]}
              </option>
            ))}
            <option value="none">{words.noRole}</option>
          </select>
        )}
      </Field>
      {role !== 'owner' && (
        <fieldset className="stack">
          <legend className="small soft">{words.form.zoneRoles}</legend>
          {zones.map((held) => (
            <ZoneRoleRow
              key={held.key}
              held={held}
              onChange={(changes) => change(held.key, changes)}
              onRemove={() => onRoles({ role, zones: zones.filter(({ key }) => key !== held.key) })}
            />
          ))}
          <div className="row">
            <button
              type="button"
              className="btn"
              onClick={() =>
                onRoles({
                  role,
                  zones: [
                    ...zones,
                    { key: Math.max(-1, ...zones.map(({ key }) => key)) + 1, zone: '', role: 'editor' },
                  ],
                })
              }
            >
              {words.form.addZone}
            </button>
          </div>
        </fieldset>
      )}
    </>
  )
}

interface ZoneRoleRowProps {
  readonly held: Roles['zones'][number]
  readonly onChange: (changes: Partial<Roles['zones'][number]>) => void
  readonly onRemove: () => void
}

function ZoneRoleRow({ held, onChange, onRemove }: ZoneRoleRowProps) {
  return (
    <div className="row nowrap">
      <input
        className="in"
        aria-label={words.form.zone}
        value={held.zone}
        onChange={({ target }) => onChange({ zone: target.value })}
        autoFocus={held.zone === ''}
        spellCheck={false}
      />
      <select
        className="sel auto"
        aria-label={words.form.zoneRole}
        value={held.role}
        onChange={({ target }) =>
          onChange({ role: ZONE_ROLES.find((each) => each === target.value) ?? held.role })
        }
      >
        {ZONE_ROLES.map((each) => (
          <option key={each} value={each}>
            {words.roles[each]}
          </option>
        ))}
      </select>
      <button type="button" className="btn" aria-label={words.form.removeZone(held.zone)} onClick={onRemove}>
        {words.form.remove}
      </button>
    </div>
  )
}
