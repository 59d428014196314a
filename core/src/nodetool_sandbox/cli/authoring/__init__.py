"""What a pack's author uses: a new project, the check before publishing, the way to the compiler."""
