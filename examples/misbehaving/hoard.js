// Takes memory until there is none.
const hoard = [];
while (true) hoard.push(new Uint8Array(1_000_000));
