// Wallets of other money: how their addresses look, and by which names pages reach them.
import { isUnknown, type Value } from './values.ts'

/** The address of one wallet, and nothing else. */
export const WALLET_ADDRESS =
  /^\s*(?:\w{3,12}:)?(?:0x[\dA-Za-z]{40}|bc1[\da-z]{25,60}|(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])(?:[13LMDT][1-9A-HJ-NP-Za-km-z]{25,33}|4[1-9A-HJ-NP-Za-km-z]{94}))\s*$/u
/** The objects that wallets put into pages. */
const WALLETS =
  /^(?:window\.)?(?:ethereum|web3|solana|phantom|tronWeb|tronLink|keplr|BinanceChain|okxwallet|bitcoin|wallet)(?:\.\w+)?$/iu

/** Whether a text is the address of a wallet, and nothing else. */
export const isWalletAddress = (value: Value): boolean =>
  typeof value === 'string' && WALLET_ADDRESS.test(value)

export const isWalletPath = (path: string): boolean => WALLETS.test(path)

/** Whether a value stands for somebody's wallet. */
export const isWallet = (value: Value): boolean => isUnknown(value) && isWalletPath(value.path)
