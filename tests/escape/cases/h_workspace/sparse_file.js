// ends: value ["max_workspace_file_bytes","max_workspace_file_bytes"]
// rss: 64
// powers: workspace
const named = (error) => /\w+_bytes/.exec(error.message)?.[0] ?? error.message;
return [await workspace.readBytes("sparse").catch(named), await workspace.copy("sparse", "x").catch(named)];
