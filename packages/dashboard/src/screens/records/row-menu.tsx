// The menu of a row, open from the start: its button was pressed before it was loaded.
import { Menu } from '@base-ui/react/menu'
import type { WireRecord } from '../../api/records.ts'
import { Icon } from '../../parts/icon.tsx'
import { strings } from '../../strings.ts'
import { scriptFor, terraformFor } from './record-code.ts'
import type { RowActions } from './record-row.tsx'

const copy = (text: string): void => void navigator.clipboard.writeText(text)

interface RowMenuProps {
  readonly record: WireRecord
  readonly owner: string
  readonly actions: RowActions
}

export function RowMenu({ record, owner, actions }: RowMenuProps) {
  const items = [
    { label: strings.records.edit, key: 'e', run: actions.edit },
    { label: strings.records.duplicate, key: 'd', run: actions.duplicate },
    ...(record.proxiable
      ? [{ label: record.proxied ? strings.records.unproxy : strings.records.proxy, run: actions.proxy }]
      : []),
    { label: strings.records.copyCurl, key: 'c', run: actions.copyCurl },
    { label: strings.records.copyScript, run: (one: WireRecord) => copy(scriptFor(location.origin, one)) },
    { label: strings.records.copyTerraform, run: (one: WireRecord) => copy(terraformFor(one)) },
    { label: strings.records.remove, key: '⌫', run: actions.remove },
  ]
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className="btn bare dots" aria-label={strings.records.menuOf(owner, record.type)}>
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={2} className="positioner">
          <Menu.Popup className="float menu">
            {items.map(({ label, key, run }) => (
              <Menu.Item key={label} className="item" onClick={() => run(record)}>
                <span>{label}</span>
                {key !== undefined && <kbd>{key}</kbd>}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
