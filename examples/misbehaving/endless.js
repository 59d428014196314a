// Never comes back by itself, and catches whatever it can.
for (;;) {
  try {
    while (true) JSON.stringify([1, 2, 3]);
  } catch {
    continue;
  }
}
