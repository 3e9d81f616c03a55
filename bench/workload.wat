;; The programs of bench/workload, in the text format of internal/asm; each takes how often,
;; which is at least once.
memory 1

func fib (i64) (i64)
	local.get 0 i64.const 2 i64.lt_s if i64 local.get 0
	else
		local.get 0 i64.const 1 i64.sub call fib
		local.get 0 i64.const 2 i64.sub call fib
		i64.add
	end
end

func Fib (i64) (f64) export
	locals i64 ;; sum
	loop
		i64.const 20 call fib local.get 1 i64.add local.set 1
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end
	local.get 1 f64.convert_i64_s
end

;; a body is x, y, z, vx, vy, vz, mass; the five are at 1024
func planet (i32 f64 f64 f64 f64 f64 f64 f64)
	local.get 0 local.get 1 f64.store
	local.get 0 local.get 2 f64.store offset=8
	local.get 0 local.get 3 f64.store offset=16
	local.get 0 local.get 4 f64.store offset=24
	local.get 0 local.get 5 f64.store offset=32
	local.get 0 local.get 6 f64.store offset=40
	local.get 0 local.get 7 f64.store offset=48
end

func planets ()
	i32.const 1024 f64.const 0 f64.const 0 f64.const 0 f64.const 0 f64.const 0 f64.const 0 f64.const 39.47 call planet
	i32.const 1080 f64.const 4.84 f64.const -1.16 f64.const -0.10 f64.const 0.6 f64.const 2.8 f64.const -0.02 f64.const 0.037 call planet
	i32.const 1136 f64.const 8.34 f64.const 4.12 f64.const -0.403 f64.const -1.01 f64.const 1.81 f64.const 0.008 f64.const 0.011 call planet
	i32.const 1192 f64.const 12.8 f64.const -15.1 f64.const -0.22 f64.const 1.08 f64.const 0.86 f64.const -0.01 f64.const 0.0017 call planet
	i32.const 1248 f64.const 15.3 f64.const -25.9 f64.const 0.17 f64.const 0.97 f64.const 0.59 f64.const -0.03 f64.const 0.002 call planet
end

func attract (i32) ;; b, with all that follow it
	locals i32 f64 f64 f64 f64 f64 ;; c dx dy dz dist2 mag
	local.get 0 i32.const 56 i32.add local.set 1
	block loop
		local.get 1 i32.const 1304 i32.ge_u br_if 1
		local.get 0 f64.load local.get 1 f64.load f64.sub local.set 2
		local.get 0 f64.load offset=8 local.get 1 f64.load offset=8 f64.sub local.set 3
		local.get 0 f64.load offset=16 local.get 1 f64.load offset=16 f64.sub local.set 4
		local.get 2 local.get 2 f64.mul local.get 3 local.get 3 f64.mul f64.add
		local.get 4 local.get 4 f64.mul f64.add local.tee 5
		local.get 5 f64.sqrt f64.mul local.set 6
		f64.const 0.01 local.get 6 f64.div local.set 6
		local.get 0 local.get 0 f64.load offset=24 local.get 2 local.get 1 f64.load offset=48 f64.mul local.get 6 f64.mul f64.sub f64.store offset=24
		local.get 0 local.get 0 f64.load offset=32 local.get 3 local.get 1 f64.load offset=48 f64.mul local.get 6 f64.mul f64.sub f64.store offset=32
		local.get 0 local.get 0 f64.load offset=40 local.get 4 local.get 1 f64.load offset=48 f64.mul local.get 6 f64.mul f64.sub f64.store offset=40
		local.get 1 local.get 1 f64.load offset=24 local.get 2 local.get 0 f64.load offset=48 f64.mul local.get 6 f64.mul f64.add f64.store offset=24
		local.get 1 local.get 1 f64.load offset=32 local.get 3 local.get 0 f64.load offset=48 f64.mul local.get 6 f64.mul f64.add f64.store offset=32
		local.get 1 local.get 1 f64.load offset=40 local.get 4 local.get 0 f64.load offset=48 f64.mul local.get 6 f64.mul f64.add f64.store offset=40
		local.get 1 i32.const 56 i32.add local.set 1
		br 0
	end end
end

func move (i32)
	local.get 0 local.get 0 f64.load f64.const 0.01 local.get 0 f64.load offset=24 f64.mul f64.add f64.store
	local.get 0 local.get 0 f64.load offset=8 f64.const 0.01 local.get 0 f64.load offset=32 f64.mul f64.add f64.store offset=8
	local.get 0 local.get 0 f64.load offset=16 f64.const 0.01 local.get 0 f64.load offset=40 f64.mul f64.add f64.store offset=16
end

func NBody (i64) (f64) export
	locals i32
	call planets
	loop
		i32.const 1024 local.set 1
		loop
			local.get 1 call attract
			local.get 1 i32.const 56 i32.add local.tee 1 i32.const 1304 i32.lt_u br_if 0
		end
		i32.const 1024 local.set 1
		loop
			local.get 1 call move
			local.get 1 i32.const 56 i32.add local.tee 1 i32.const 1304 i32.lt_u br_if 0
		end
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end
	i32.const 1080 f64.load i32.const 1136 f64.load offset=8 f64.add i32.const 1192 f64.load offset=16 f64.add
end

func entry (i64 i64) (f64)
	f64.const 1
	local.get 0 local.get 1 i64.add local.get 0 local.get 1 i64.add i64.const 1 i64.add i64.mul
	i64.const 1 i64.shr_u local.get 0 i64.add i64.const 1 i64.add f64.convert_i64_s f64.div
end

func timesMatrix (i32 i32) ;; v, out
	locals i64 i64 f64 ;; i j sum
	loop
		i64.const 0 local.set 3 f64.const 0 local.set 4
		loop
			local.get 4 local.get 2 local.get 3 call entry
			local.get 0 local.get 3 i32.wrap_i64 i32.const 3 i32.shl i32.add f64.load f64.mul f64.add local.set 4
			local.get 3 i64.const 1 i64.add local.tee 3 i64.const 32 i64.lt_s br_if 0
		end
		local.get 1 local.get 2 i32.wrap_i64 i32.const 3 i32.shl i32.add local.get 4 f64.store
		local.get 2 i64.const 1 i64.add local.tee 2 i64.const 32 i64.lt_s br_if 0
	end
end

func timesTransposed (i32 i32)
	locals i64 i64 f64
	loop
		i64.const 0 local.set 3 f64.const 0 local.set 4
		loop
			local.get 4 local.get 3 local.get 2 call entry
			local.get 0 local.get 3 i32.wrap_i64 i32.const 3 i32.shl i32.add f64.load f64.mul f64.add local.set 4
			local.get 3 i64.const 1 i64.add local.tee 3 i64.const 32 i64.lt_s br_if 0
		end
		local.get 1 local.get 2 i32.wrap_i64 i32.const 3 i32.shl i32.add local.get 4 f64.store
		local.get 2 i64.const 1 i64.add local.tee 2 i64.const 32 i64.lt_s br_if 0
	end
end

func spectral () (f64)
	locals i32 f64 f64 ;; at uv vv; u is at 0, v at 256, w at 512
	loop
		local.get 0 f64.const 1 f64.store
		local.get 0 i32.const 8 i32.add local.tee 0 i32.const 256 i32.lt_u br_if 0
	end
	i32.const 0 local.set 0
	loop
		i32.const 0 i32.const 512 call timesMatrix
		i32.const 512 i32.const 256 call timesTransposed
		i32.const 256 i32.const 512 call timesMatrix
		i32.const 512 i32.const 0 call timesTransposed
		local.get 0 i32.const 1 i32.add local.tee 0 i32.const 5 i32.lt_u br_if 0
	end
	i32.const 0 local.set 0
	loop
		local.get 0 f64.load local.get 0 f64.load offset=256 f64.mul local.get 1 f64.add local.set 1
		local.get 0 f64.load offset=256 local.get 0 f64.load offset=256 f64.mul local.get 2 f64.add local.set 2
		local.get 0 i32.const 8 i32.add local.tee 0 i32.const 256 i32.lt_u br_if 0
	end
	local.get 1 local.get 2 f64.div f64.sqrt
end

func Spectral (i64) (f64) export
	locals f64
	loop
		call spectral local.get 1 f64.add local.set 1
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end
	local.get 1
end

func inside (f64 f64) (i64)
	locals f64 f64 f64 f64 i64 ;; r i r2 i2 n
	loop
		local.get 4 local.get 5 f64.add f64.const 4 f64.gt if local.get 6 return end
		f64.const 2 local.get 2 f64.mul local.get 3 f64.mul local.get 1 f64.add local.set 3
		local.get 4 local.get 5 f64.sub local.get 0 f64.add local.set 2
		local.get 2 local.get 2 f64.mul local.set 4
		local.get 3 local.get 3 f64.mul local.set 5
		local.get 6 i64.const 1 i64.add local.tee 6 i64.const 50 i64.lt_s br_if 0
	end
	i64.const 50
end

func mandelbrot () (i64)
	locals i64 i64 i64 f64 ;; sum y x ci
	loop
		f64.const 2 local.get 1 f64.convert_i64_s f64.mul f64.const 32 f64.div f64.const 1 f64.sub local.set 3
		i64.const 0 local.set 2
		loop
			f64.const 2 local.get 2 f64.convert_i64_s f64.mul f64.const 32 f64.div f64.const 1.5 f64.sub
			local.get 3 call inside local.get 0 i64.add local.set 0
			local.get 2 i64.const 1 i64.add local.tee 2 i64.const 32 i64.lt_s br_if 0
		end
		local.get 1 i64.const 1 i64.add local.tee 1 i64.const 32 i64.lt_s br_if 0
	end
	local.get 0
end

func Mandelbrot (i64) (f64) export
	locals i64
	loop
		call mandelbrot local.get 1 i64.add local.set 1
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end
	local.get 1 f64.convert_i64_s
end
