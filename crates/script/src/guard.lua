-- What a script may not do: load bytecode, which LuaJIT runs unchecked and which could crash the engine,
-- and end the process, which would lose the result.
local compile, compile_file, package = load, loadfile, package

load = function(chunk, name, _, ...)
  return compile(chunk, name, "t", ...)
end
loadstring = load

loadfile = function(file, _, ...)
  return compile_file(file, "t", ...)
end

dofile = function(file)
  local chunk, why = compile_file(file, "t")
  return (chunk or error(why, 2))()
end

package.loaders[2] = function(name)
  local file, missing = package.searchpath(name, package.path)
  if not file then
    return missing
  end
  local chunk, why = compile_file(file, "t")
  return chunk or error(("error loading module '%s' from file '%s':\n\t%s"):format(name, file, why), 0)
end

os.exit = function()
  error("os.exit() would end weir without a result", 2)
end
