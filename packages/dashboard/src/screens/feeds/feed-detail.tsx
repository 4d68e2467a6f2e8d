// One threat feed: the outcome of its last import, and what can be done with it.
import { useNavigate } from '@tanstack/react-router'
import {
  acceptFeed,
  changeFeed,
  deleteFeed,
  fetchFeed,
  uploadEntries,
  type WireThreatFeed,
} from '../../api/feeds.ts'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Fact } from '../../parts/fact.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Exact } from '../../parts/time.tsx'
import { numberText } from '../../strings.ts'
import { feedStrings } from '../../strings/feeds.ts'
import { useFeedAction } from './feed-action.ts'

const text = feedStrings.detail

export function FeedDetail({ feed }: { readonly feed: WireThreatFeed }) {
  const { id, name, status, enabled, url } = feed
  const action = useFeedAction()
  const navigate = useNavigate({ from: '/feeds' })
  const held = status.held_entries
  const run = (work: () => Promise<unknown>, done: string) => (): void => action.mutate({ run: work, done })
  const remove = (): void =>
    action.mutate(
      { run: () => deleteFeed(id), done: text.removed(name) },
      { onSuccess: () => void navigate({ search: {} }) },
    )
  return (
    <div className="editor" role="group" aria-label={name}>
      {status.problem !== null && <p className="warn">{status.problem}</p>}
      {held !== null && <p>{text.heldBack(status.entries, held)}</p>}
      <Facts feed={feed} />
      <Problem error={action.error} />
      <div className="foot">
        {held !== null && (
          <button
            type="button"
            className="btn primary"
            disabled={action.isPending}
            onClick={run(() => acceptFeed(id), text.accepted(name))}
          >
            {text.accept(held)}
          </button>
        )}
        {url !== null && enabled && (
          <button
            type="button"
            className="btn"
            disabled={action.isPending}
            onClick={run(() => fetchFeed(id), text.fetching(name))}
          >
            {text.fetch}
          </button>
        )}
        {url === null && (
          <label className="btn">
            {text.upload}
            <input
              type="file"
              className="vh"
              onChange={({ target }) => {
                const [file] = target.files ?? [] // none was chosen
                if (file !== undefined)
                  action.mutate({ run: () => uploadEntries(id, file), done: text.uploadedDone(name) })
                target.value = ''
              }}
            />
          </label>
        )}
        <button
          type="button"
          className="btn"
          disabled={action.isPending}
          onClick={run(
            () => changeFeed(id, { enabled: !enabled }),
            enabled ? text.offDone(name) : text.on(name),
          )}
        >
          {enabled ? text.turnOff : text.turnOn}
        </button>
        <DeleteButton text={text.remove} look="btn" isBusy={action.isPending} onDelete={remove} />
        <span className="small dim">{text.removeNote}</span>
      </div>
    </div>
  )
}

function Facts({ feed: { format, categories, url, status } }: { readonly feed: WireThreatFeed }) {
  return (
    <dl className="kv">
      <Fact name={text.format}>{feedStrings.form.formats[format]}</Fact>
      {url !== null && (
        <Fact name={feedStrings.columns.source}>
          <code className="wrap">{url}</code>
        </Fact>
      )}
      {categories !== null && <Fact name={text.categories}>{categories.join(', ')}</Fact>}
      <Fact name={text.entries}>{numberText(status.entries)}</Fact>
      {status.passed_over > 0 && (
        <Fact name={text.passedOver}>
          {numberText(status.passed_over)} <span className="soft">({text.passedOverNote})</span>
        </Fact>
      )}
      {status.unreadable > 0 && <Fact name={text.unreadable}>{numberText(status.unreadable)}</Fact>}
      {status.attempted_at !== null && (
        <Fact name={text.attempted}>
          <Exact at={status.attempted_at} />
        </Fact>
      )}
    </dl>
  )
}
