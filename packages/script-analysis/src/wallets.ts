// Cryptocurrency wallets: the format of their addresses, and the names by which pages access them.
import { isUnknown, type Value } from './values.ts'

/** Exactly one wallet address. */
const WALLET_ADDRESS =
  /^\s*(?:\w{3,12}:)?(?:0x[\dA-Za-z]{40}|bc1[\da-z]{25,60}|(?=[\w-]*\d)[EU]Q[\w-]{46}|(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])(?:[13LMDT][1-9A-HJ-NP-Za-km-z]{25,33}|4[1-9A-HJ-NP-Za-km-z]{94}))\s*$/u
/** Longer strings are none. */
const MAX_ADDRESS = 120
/** Objects that wallets add to pages. */
const WALLETS =
  /^(?:window\.)?(?:ethereum|web3|solana|phantom|tronWeb|tronLink|keplr|BinanceChain|okxwallet|bitcoin|wallet)(?:\.\w+)?$/iu

/** Whether a string is exactly one wallet address, with any whitespace around it. */
export function isWalletAddress(value: Value): boolean {
  const text = typeof value === 'string' ? value.trim() : ''
  return text.length <= MAX_ADDRESS && WALLET_ADDRESS.test(text)
}

export const isWalletPath = (path: string): boolean => WALLETS.test(path)

/** Whether a value is the visitor's wallet. */
export const isWallet = (value: Value): boolean => isUnknown(value) && isWalletPath(value.path)
