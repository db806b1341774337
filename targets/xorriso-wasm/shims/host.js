// What the host answers. emscripten makes up 2 GiB of free space, and xorriso writes nothing larger than what is free.
mergeInto(LibraryManager.library, {
  __syscall_statfs64__deps: ["$SYSCALLS"],
  __syscall_statfs64: function (path, size, into) {
    var found;
    try {
      found = fs.statfsSync(SYSCALLS.getStr(path));
    } catch (error) {
      // As emscripten's own calls fail: minus its number for the name of the error.
      return -(ERRNO_CODES[error.code] || 29 /* EIO */);
    }
    // Counts have 32 bits here, so blocks are told as if they were larger.
    var shift = 1;
    while (found.blocks / shift > 0x7fffffff) shift *= 2;
    var count = function (blocks) {
      return Math.floor(blocks / shift);
    };
    HEAPU8.fill(0, into, into + {{{ C_STRUCTS.statfs.__size__ }}});
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_bsize, "found.bsize * shift", "i32") }}};
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_frsize, "found.bsize * shift", "i32") }}};
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_blocks, "count(found.blocks)", "i32") }}};
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_bfree, "count(found.bfree)", "i32") }}};
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_bavail, "count(found.bavail)", "i32") }}};
    {{{ makeSetValue("into", C_STRUCTS.statfs.f_namelen, "255", "i32") }}};
    return 0;
  },
});

mergeInto(LibraryManager.library, {
  // Nothing here asks for randomness: an image has none. emscripten would load Node's cryptography at each start.
  $getRandomDevice: function () {
    return function () {
      abort("randomness was asked for");
    };
  },
});

// Of a file's times emscripten takes Node's dates, which are rounded to the next millisecond, and the next second with it; and each
// of them costs more than to ask for the file. Seconds count, and what has begun is the one before. (In the last tenth of a
// microsecond of a second Node's own number is rounded too.)
mergeInto(LibraryManager.library, {
  $fileStatus: function (found) {
    var time = function (milliseconds) {
      return {
        getTime: function () {
          return Math.floor(milliseconds / 1000) * 1000;
        },
      };
    };
    return {
      dev: found.dev,
      ino: found.ino,
      mode: found.mode,
      nlink: found.nlink,
      uid: found.uid,
      gid: found.gid,
      rdev: found.rdev,
      size: found.size,
      blocks: found.blocks,
      atime: time(found.atimeMs),
      mtime: time(found.mtimeMs),
      ctime: time(found.ctimeMs),
    };
  },
});
LibraryManager.library.$NODERAWFS__deps.push("$fileStatus");
LibraryManager.library.$NODERAWFS.stat = function (path) {
  return fileStatus(fs.statSync(path));
};
LibraryManager.library.$NODERAWFS.lstat = function (path) {
  return fileStatus(fs.lstatSync(path));
};
