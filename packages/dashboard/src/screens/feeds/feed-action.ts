// Writes to threat feeds.
import { feedList } from '../../api/feeds.ts'
import { useWriteAction } from '../../parts/zone-action.ts'

/** What a write did is said, and the list is asked for again. */
export const useFeedAction = () => useWriteAction([feedList.queryKey])
