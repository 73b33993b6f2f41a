/** Shares of a whole, to look at. */

/** `1.2351%`: a share to look at. */
export const percent = (share: number, digits = 4): string => `${(share * 100).toFixed(digits).replace("-", "−")}%`;
