// A write of a peer, key or ACL of an account, which the transfers of its zones show, too.
import { transferObjectKeys } from '../../api/transfers.ts'
import { zoneKeys } from '../../api/zones.ts'
import { useWriteAction } from '../../parts/zone-action.ts'

export const useTransferObjectAction = (accountId: string) =>
  useWriteAction([transferObjectKeys(accountId), zoneKeys.ofEach])
