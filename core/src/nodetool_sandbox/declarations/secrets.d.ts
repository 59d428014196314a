/** In a run that was given secrets. */

/** The value of a secret, or a placeholder that the host replaces on its way to the hosts that it is for. */
declare function getSecret(name: string): Promise<string | undefined>;
